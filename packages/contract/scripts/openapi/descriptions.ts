/** Descriptions of the fields of every event. */
const EVENT_FIELDS = {
  event: 'Type of the event.',
  form: 'The form.',
  'form.id': 'Id of the form.',
  'form.title': 'Title of the form in the dashboard.',
  response: 'The response.',
  'response.id': 'Id of the response, or 0 in a test event.',
  'response.submitted_at': 'When it was submitted.',
  'response.answers': 'In form order, in the same format as in the API.',
  'response.score': 'Points scored, or null if no question has points.',
  'response.max_score': 'Maximum score, or null if no question has points.',
  'response.meta': 'How the response was submitted.',
}

/**
 * Descriptions of all fields, by component and path. `test/openapi.test.ts` fails if a field has no description or a
 * description has no field.
 */
export const DESCRIPTIONS: Record<string, { description: string; fields: Record<string, string> }> = {
  Me: {
    description: 'The key in use, its user and its workspace.',
    fields: {
      user: 'The user who created the key.',
      'user.id': 'Id of the user.',
      'user.name': 'Name of the user.',
      'user.email': 'Email address of the user.',
      workspace: 'The workspace that the key has access to.',
      'workspace.id': 'Id of the workspace.',
      'workspace.name': 'Name of the workspace.',
      'workspace.role': "The user's role in the workspace.",
      key: 'The key, without its secret part.',
      'key.id': 'Id of the key.',
      'key.name': 'Name given at creation.',
      'key.prefix': 'Short leading part of the key, to tell keys apart.',
      'key.scope': '`read` allows GET only; `write` also allows PATCH, POST and DELETE.',
    },
  },
  Form: {
    description: 'A form.',
    fields: {
      id: '12 characters; the same id appears in dashboard URLs.',
      title:
        'Title in the dashboard. The public page shows the title that was last published in the builder.',
      status: 'Status of the form.',
      slug: 'Short public identifier.',
      url: 'Public link of the form.',
      published: 'Whether the form has been published.',
      response_count: 'Number of submitted responses. Deleting a response decreases it.',
      response_limit: 'Maximum number of submitted responses, or null for no limit.',
      opens_at: 'When the public link starts to accept responses, or null.',
      closes_at: 'When the public link stops accepting responses, or null.',
      created_at: 'When the form was created.',
      updated_at: 'When the form was last changed.',
    },
  },
  FormUpdate: {
    description: 'The changes. At least one field is required.',
    fields: {
      status: 'Accepted only for a form that has been published.',
      title: '1 to 200 characters, counted as Unicode code points.',
    },
  },
  FormResponse: {
    description: 'A response, or a saved draft.',
    fields: {
      id: 'Id of the response. Not reused after a deletion.',
      form_id: 'Id of the form.',
      status: '`submitted`, or `in_progress` for a saved draft.',
      started_at: 'When the respondent started.',
      submitted_at: 'When it was submitted. For a draft, null or the time of the last save.',
      duration_sec: 'Whole seconds from the start to the submission, or to the last save of a draft.',
      email: "The respondent's email address, or null.",
      score: 'Points scored, or null if no question has points.',
      max_score: 'Maximum score, or null if no question has points.',
      answers: 'In form order, without skipped questions and questions hidden by logic.',
      meta: 'How the response was submitted.',
    },
  },
  ResponseMeta: {
    description: 'How a response was submitted. Other keys can be added at any time.',
    fields: {
      device: 'Kind of device.',
      browser: 'Browser.',
      os: 'Operating system.',
      ref: 'Referring page.',
      utm: 'Campaign parameters, such as `source`.',
    },
  },
  UnknownAnswer: {
    description: 'An answer to a question of a type that was added later.',
    fields: {
      question_id: 'Id of the question.',
      title: 'Title of the question.',
      text: 'Human-readable answer.',
      type: 'A type that is not in this document.',
      value: 'Any value.',
    },
  },
  ChoiceValue: {
    description: 'Value of choices and rankings.',
    fields: {
      ids: 'Ids of the chosen options. For a ranking, in ranked order.',
      other: 'Text of the "other" option, or null if it was not used.',
    },
  },
  UploadedFile: {
    description: 'An uploaded file. The API does not provide its content.',
    fields: { id: 'Id of the file.', name: 'Name of the file.', size: 'Size in bytes.' },
  },
  AddressValue: {
    description: 'Value of an address. A part that was left out is an empty string.',
    fields: {
      line1: 'First line.',
      line2: 'Second line.',
      city: 'City.',
      region: 'State, province or region.',
      postal: 'Postal code.',
      country: 'Country.',
    },
  },
  WebhookEndpoint: {
    description: 'A webhook endpoint.',
    fields: {
      id: 'Id of the endpoint.',
      url: 'Where deliveries are sent. At most 500 characters.',
      active: 'False while paused.',
      created_at: 'When the endpoint was added. Only responses submitted later are sent.',
    },
  },
  CreatedWebhookEndpoint: {
    description: 'A new webhook endpoint with its secret.',
    fields: {
      id: 'Id of the endpoint.',
      url: 'Where deliveries are sent. At most 500 characters.',
      active: 'False while paused.',
      created_at: 'When the endpoint was added. Only responses submitted later are sent.',
      secret: 'Signs every delivery. Returned only here: save it.',
    },
  },
  WebhookCreate: {
    description: 'A new webhook endpoint.',
    fields: {
      url: 'A public URL without credentials, on port 80, 443, 8080 or 8443, https in production. At most 500 characters.',
    },
  },
  ResponseSubmittedEvent: {
    description:
      'Body of a delivery of a submitted response. Events of other types can be added at any time; ignore them.',
    fields: EVENT_FIELDS,
  },
  TestPingEvent: {
    description:
      'Body of a test event, which was sent from the app. It has one example answer, and the response id 0.',
    fields: EVENT_FIELDS,
  },
  Deleted: {
    description: 'The deleted object.',
    fields: { id: 'Id of the deleted object.', deleted: 'Always true.' },
  },
  PageMeta: {
    description: 'Position of a page in its list.',
    fields: {
      page: 'Number of this page, from 1.',
      per_page: 'Maximum number of items per page.',
      total: 'Number of items that match the filters, on all pages.',
    },
  },
  ErrorBody: {
    description: 'Body of every request that is rejected or fails.',
    fields: {
      error: 'What went wrong.',
      'error.code': 'Stable code. Branch on this.',
      'error.message': 'Human-readable and not stable.',
      'error.details': 'Additional information. Other fields can be added at any time.',
      'error.details.field': 'The query parameter or body field that caused the error, if there is one.',
    },
  },
}

/** Descriptions of the fields of every answer of a documented type. */
export const ANSWER_DESCRIPTIONS = {
  question_id: 'Id of the question.',
  title: 'Title of the question.',
  type: 'Type of the question.',
  value: 'Machine-readable value.',
  text: 'Human-readable answer. For choices, the option labels.',
}
