/**
 * What every field means, by component and path. `test/openapi.test.ts` fails when a field of a component has no entry
 * here, or an entry has no field.
 */
export const DESCRIPTIONS: Record<string, { description: string; fields: Record<string, string> }> = {
  Me: {
    description: 'Who a key belongs to and what it reaches.',
    fields: {
      user: 'The user who made the key.',
      'user.id': 'Id of the user.',
      'user.name': 'Name of the user.',
      'user.email': 'Email address of the user.',
      workspace: 'The one workspace that the key reaches.',
      'workspace.id': 'Id of the workspace.',
      'workspace.name': 'Name of the workspace.',
      'workspace.role': "The user's role in it.",
      key: 'The key itself, without its secret part.',
      'key.id': 'Id of the key.',
      'key.name': 'Name given at creation.',
      'key.prefix': 'Short leading part of the key, to tell keys apart.',
      'key.scope': '`read` allows GET only; `write` also PATCH, POST and DELETE.',
    },
  },
  Form: {
    description: 'A form.',
    fields: {
      id: '12 characters; the same id appears in dashboard URLs.',
      title: 'Title in the dashboard. The public page keeps the title last published in the builder.',
      status: 'State of the form.',
      slug: 'Short public identifier.',
      url: 'Public link of the form.',
      published: 'Whether the form has been published.',
      response_count: 'Submitted responses; lowered when one is deleted.',
      response_limit: 'Most submitted responses that the public link takes, or null for no limit.',
      opens_at: 'From when the public link takes responses, or null.',
      closes_at: 'From when the public link refuses responses, or null.',
      created_at: 'When the form was made.',
      updated_at: 'When the form was last changed.',
    },
  },
  FormUpdate: {
    description: 'At least one member.',
    fields: {
      status: 'Only for a form that is already published.',
      title: '1 to 200 characters, counted as Unicode code points.',
    },
  },
  Response: {
    description: 'A response, or a saved draft of one.',
    fields: {
      id: 'Id of the response; never used again after a deletion.',
      form_id: 'Id of the owning form.',
      status: '`submitted`, or `in_progress` for a saved draft.',
      started_at: 'When the respondent began.',
      submitted_at: 'When it was submitted. For a draft null, or when it was last saved.',
      duration_sec: 'Whole seconds from start to submission; for a draft to the last save.',
      email: "The respondent's email address, or null.",
      score: 'Points reached, or null when no question has points.',
      max_score: 'Points that could be reached, or null.',
      answers: 'In form order; skipped questions and those hidden by logic are left out.',
      meta: 'How the response came in.',
    },
  },
  ResponseMeta: {
    description: 'How a response came in. More keys may appear.',
    fields: {
      device: 'Kind of device.',
      browser: 'Browser.',
      os: 'Operating system.',
      ref: 'Referring page.',
      utm: 'Campaign parameters, such as `source`.',
    },
  },
  UnknownAnswer: {
    description: 'An answer to a question of a type that a later version added.',
    fields: {
      question_id: 'Id of the question.',
      title: 'Title of the question.',
      text: 'The answer for people.',
      type: 'A type that this document does not know.',
      value: 'Anything.',
    },
  },
  ChoiceValue: {
    description: 'Value of choices and rankings.',
    fields: {
      ids: 'Ids of the chosen options; for a ranking in ranked order.',
      other: 'Text of "other", or null when it was not used.',
    },
  },
  UploadedFile: {
    description: 'An uploaded file. Its bytes cannot be had through the API.',
    fields: { id: 'Id of the file.', name: 'Name of the file.', size: 'Size in bytes.' },
  },
  AddressValue: {
    description: 'Value of an address; a part that was left out is an empty string.',
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
      url: 'Where deliveries go, at most 500 characters.',
      active: 'False while paused.',
      created_at: 'When it was added; only responses submitted later are sent.',
    },
  },
  CreatedWebhookEndpoint: {
    description: 'A new webhook endpoint with its secret.',
    fields: {
      id: 'Id of the endpoint.',
      url: 'Where deliveries go, at most 500 characters.',
      active: 'False while paused.',
      created_at: 'When it was added; only responses submitted later are sent.',
      secret: 'Signs every delivery. Shown here once and never again.',
    },
  },
  WebhookCreate: {
    description: 'A new webhook endpoint.',
    fields: {
      url: 'An address that is public, https in production, on port 80, 443, 8080 or 8443, without credentials; at most 500 characters.',
    },
  },
  WebhookEvent: {
    description: 'Body of a delivery.',
    fields: {
      event: 'What happened.',
      form: 'The form.',
      'form.id': 'Id of the form.',
      'form.title': 'Title of the form in the dashboard.',
      response: 'The response.',
      'response.id': 'Id of the response; 0 in a test event.',
      'response.submitted_at': 'When it was submitted.',
      'response.answers': 'In form order, shaped as in the API.',
      'response.score': 'Points reached, or null.',
      'response.max_score': 'Points that could be reached, or null.',
      'response.meta': 'How the response came in.',
    },
  },
  Deleted: {
    description: 'What was deleted.',
    fields: { id: 'Id of what was deleted.', deleted: 'Always true.' },
  },
  PageMeta: {
    description: 'Where a page stands in its list.',
    fields: {
      page: 'Number of this page, from 1.',
      per_page: 'Most items a page holds.',
      total: 'How many items match the filters, over all pages.',
    },
  },
  Error: {
    description: 'The answer of every refused or failed request.',
    fields: {
      error: 'What went wrong.',
      'error.code': 'Branch on this.',
      'error.message': 'For people; not stable.',
      'error.details': 'What else is known. More members may appear.',
      'error.details.field': 'The parameter or member of the body at fault, when there is one.',
    },
  },
}

/** Fields of every answer of a documented type. */
export const ANSWER_DESCRIPTIONS = {
  question_id: 'Id of the question.',
  title: 'Title of the question.',
  type: 'Type of the question.',
  value: 'Machine-readable value.',
  text: 'The answer for people; for choices the option labels.',
}
