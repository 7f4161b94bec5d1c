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

/** Descriptions of the fields of every endpoint. */
const ENDPOINT_FIELDS = {
  id: 'Id of the endpoint.',
  url: 'Where deliveries are sent. At most 500 characters.',
  active: 'False while paused.',
  created_at: 'When the endpoint was added. Only responses submitted later are sent.',
}

const fields = (component: string, texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([path, text]) => [`${component}.${path}`, text]))

/**
 * Descriptions of all components and, by its path below the component, of each field. `test/openapi.test.ts` fails if a field has no
 * description or a description has no field.
 */
export const DESCRIPTIONS: Record<string, string> = {
  Me: 'The key in use, its user and its workspace.',
  'Me.user': 'The user who created the key.',
  'Me.user.id': 'Id of the user.',
  'Me.user.name': 'Name of the user.',
  'Me.user.email': 'Email address of the user.',
  'Me.workspace': 'The workspace that the key has access to.',
  'Me.workspace.id': 'Id of the workspace.',
  'Me.workspace.name': 'Name of the workspace.',
  'Me.workspace.role': "The user's role in the workspace.",
  'Me.key': 'The key, without its secret part.',
  'Me.key.id': 'Id of the key.',
  'Me.key.name': 'Name given at creation.',
  'Me.key.prefix': 'Short leading part of the key, to tell keys apart.',
  'Me.key.scope': '`read` allows GET only; `write` also allows PATCH, POST and DELETE.',
  Form: 'A form.',
  'Form.id': '12 characters; the same id appears in dashboard URLs.',
  'Form.title':
    'Title in the dashboard. The public page shows the title that was last published in the builder.',
  'Form.status': 'Status of the form.',
  'Form.slug': 'Short public identifier.',
  'Form.url': 'Public link of the form.',
  'Form.published': 'Whether the form has been published.',
  'Form.response_count': 'Number of submitted responses. Deleting a response decreases it.',
  'Form.response_limit': 'Maximum number of submitted responses, or null for no limit.',
  'Form.opens_at': 'When the public link starts to accept responses, or null.',
  'Form.closes_at': 'When the public link stops accepting responses, or null.',
  'Form.created_at': 'When the form was created.',
  'Form.updated_at': 'When the form was last changed.',
  FormUpdate: 'The changes. At least one field is required.',
  'FormUpdate.status': 'Accepted only for a form that has been published.',
  'FormUpdate.title': '1 to 200 characters, counted as Unicode code points.',
  FormResponse: 'A response, or a saved draft.',
  'FormResponse.id': 'Id of the response. Not reused after a deletion.',
  'FormResponse.form_id': 'Id of the form.',
  'FormResponse.status': '`submitted`, or `in_progress` for a saved draft.',
  'FormResponse.started_at': 'When the respondent started.',
  'FormResponse.submitted_at': 'When it was submitted. For a draft, null or the time of the last save.',
  'FormResponse.duration_sec':
    'Whole seconds from the start to the submission, or to the last save of a draft.',
  'FormResponse.email': "The respondent's email address, or null.",
  'FormResponse.score': 'Points scored, or null if no question has points.',
  'FormResponse.max_score': 'Maximum score, or null if no question has points.',
  'FormResponse.answers': 'In form order, without skipped questions and questions hidden by logic.',
  'FormResponse.meta': 'How the response was submitted.',
  ResponseMeta: 'How a response was submitted. Other keys can be added at any time.',
  'ResponseMeta.device': 'Kind of device.',
  'ResponseMeta.browser': 'Browser.',
  'ResponseMeta.os': 'Operating system.',
  'ResponseMeta.ref': 'Referring page.',
  'ResponseMeta.utm': 'Campaign parameters, such as `source`.',
  UnknownAnswer: 'An answer to a question of a type that was added later.',
  'UnknownAnswer.question_id': 'Id of the question.',
  'UnknownAnswer.title': 'Title of the question.',
  'UnknownAnswer.text': 'Human-readable answer.',
  'UnknownAnswer.type': 'A type that is not in this document.',
  'UnknownAnswer.value': 'Any value.',
  ChoiceValue: 'Value of choices and rankings.',
  'ChoiceValue.ids': 'Ids of the chosen options. For a ranking, in ranked order.',
  'ChoiceValue.other': 'Text of the "other" option, or null if it was not used.',
  UploadedFile: 'An uploaded file. The API does not provide its content.',
  'UploadedFile.id': 'Id of the file.',
  'UploadedFile.name': 'Name of the file.',
  'UploadedFile.size': 'Size in bytes.',
  AddressValue: 'Value of an address. A part that was left out is an empty string.',
  'AddressValue.line1': 'First line.',
  'AddressValue.line2': 'Second line.',
  'AddressValue.city': 'City.',
  'AddressValue.region': 'State, province or region.',
  'AddressValue.postal': 'Postal code.',
  'AddressValue.country': 'Country.',
  WebhookEndpoint: 'A webhook endpoint.',
  ...fields('WebhookEndpoint', ENDPOINT_FIELDS),
  CreatedWebhookEndpoint: 'A new webhook endpoint with its secret.',
  ...fields('CreatedWebhookEndpoint', ENDPOINT_FIELDS),
  'CreatedWebhookEndpoint.secret': 'Signs every delivery. Returned only here: save it.',
  WebhookCreate: 'A new webhook endpoint.',
  'WebhookCreate.url':
    'A public URL without credentials, on port 80, 443, 8080 or 8443, https in production. At most 500 characters.',
  ResponseSubmittedEvent:
    'Body of a delivery of a submitted response. Events of other types can be added at any time; ignore them.',
  ...fields('ResponseSubmittedEvent', EVENT_FIELDS),
  TestPingEvent:
    'Body of a test event, which was sent from the app. It has one example answer, and the response id 0.',
  ...fields('TestPingEvent', EVENT_FIELDS),
  Deleted: 'The deleted object.',
  'Deleted.id': 'Id of the deleted object.',
  'Deleted.deleted': 'Always true.',
  PageMeta: 'Position of a page in its list.',
  'PageMeta.page': 'Number of this page, from 1.',
  'PageMeta.per_page': 'Maximum number of items per page.',
  'PageMeta.total': 'Number of items that match the filters, on all pages.',
  ErrorBody: 'Body of every request that is rejected or fails.',
  'ErrorBody.error': 'What went wrong.',
  'ErrorBody.error.code': 'Stable code. Branch on this.',
  'ErrorBody.error.message': 'Human-readable and not stable.',
  'ErrorBody.error.details': 'Additional information. Other fields can be added at any time.',
  'ErrorBody.error.details.field':
    'The query parameter or body field that caused the error, if there is one.',
}

/** Descriptions of the fields of every answer of a documented type. */
export const ANSWER_DESCRIPTIONS = {
  question_id: 'Id of the question.',
  title: 'Title of the question.',
  type: 'Type of the question.',
  value: 'Machine-readable value.',
  text: 'Human-readable answer. For choices, the option labels.',
}

/** Summary and description of each operation. */
export const OPERATIONS: Readonly<Record<string, string>> = {
  getMe: 'Get the current key\nReturns the user and workspace of the key, and its scope.',
  listForms:
    "List forms\nThe forms of the key's workspace, most recently updated first. Trashed forms are not included.",
  getForm: 'Get a form\nIts questions are not part of the API.',
  updateForm:
    'Close, reopen or rename a form\nRequires a write key and at least one field. `status` is accepted only for a form that has been published. The title changes in the dashboard only; respondents see it after the form is published again in the builder.',
  listResponses:
    'List responses\nNewest first. To poll, pass the newest `submitted_at` that you have seen as `since`, request pages until one has fewer items than `per_page`, and skip ids that you have already seen, because `since` is inclusive.',
  getResponse: 'Get a response\nA response of another form is not found, even in the same workspace.',
  deleteResponse:
    "Delete a response\nRequires a write key. Deletes the response, its answers and its uploaded files, and decreases the form's response count. This cannot be undone.",
  listWebhooks: "List a form's webhook endpoints\nSecrets are not included.",
  createWebhook:
    'Add a webhook endpoint\nRequires a write key. A form can have at most 10 endpoints. The response contains the secret that signs deliveries, which is returned only here.',
  deleteWebhook:
    'Delete a webhook endpoint\nRequires a write key. Also deletes the delivery log of the endpoint. Returns 200 or 204, depending on the deployment.',
}
