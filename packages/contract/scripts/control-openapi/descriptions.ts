/** What each operation does, by operation id: a summary, and a description in the next line. */
export const DESCRIPTIONS: Record<string, string> = {
  health: 'Whether the server is ready\nNeeds no token.',
  getControlOpenApi:
    'This document\nReturns the OpenAPI 3.1 document of the control API. Needs the admin token.',
  reset:
    'Go back to the seed, or to the state that was loaded\nAlso ends mock receivers, removes faults, clears the journal and sets a manual clock to its start.',
  takeSnapshot:
    'Take the whole state out\nReturns everything that the server stores, to restore it later or in another server.',
  restoreSnapshot:
    'Replace the whole state\nTakes the body of `GET /_app/snapshot`, with or without its envelope, and the file of `--state`, and sets a manual clock to the ' +
    'instant at which it was taken. What a snapshot does not contain stays: the journal, faults and mock receivers. A reset clears them.',
  getClock: 'Read the clock\nReturns the current time of the server and whether its clock is manual.',
  advanceClock: 'Advance a manual clock\nReturns once every attempt that came due has ended.',
  listRequests:
    'List the latest API requests, newest first\nReturns the latest requests to the API with their results, for assertions.',
  getRequest:
    'Get an API request with its headers and bodies\nReturns what the client sent and what the API responded, the latest 200 with headers and bodies.',
  listFaults: 'List the active faults\nReturns the faults that still apply to requests.',
  addFault:
    'Inject a failure\nMakes matching requests fail, wait, or lose their connection, a number of times or until it is removed.',
  clearFaults: 'Remove all faults\nRemoves every fault, so that requests are handled normally again.',
  deleteFault: 'Remove a fault\nRemoves one fault. Others still apply.',
  getCatalog:
    'Get several lists in one response\nWhat a client shows that opens, in one request. Delivery logs have up to 50 deliveries, or fewer when there are more than 200 endpoints, so that there are at most 10,000 in all.',
  wait: 'Wait for a request, a delivery or a response\nResponds when something matches, or with 408 and what came closest when the time is over.',
  listReceivers: 'List the mock receivers\nReturns the mock receivers that were started with POST.',
  createReceiver:
    'Start a mock receiver\nStarts a receiver on a port of its own, which records deliveries and responds by its script.',
  getBuiltInReceiver:
    'Get the built-in receiver, and start it unless it is running\nThe endpoints of the demo point to it. A server that listens with the demo starts it.',
  setBuiltInReceiverScript:
    'Replace the script of the built-in receiver\nSets how the built-in receiver responds to the next deliveries.',
  getReceiver: 'Get a mock receiver\nReturns the URL and the script of a mock receiver.',
  updateReceiver:
    'Change the script or the secret of a mock receiver\nWhat was recorded is kept. An invalid body changes nothing.',
  deleteReceiver: 'End a mock receiver and its open requests\nCloses its port and forgets what it recorded.',
  setReceiverScript:
    'Replace the script of a mock receiver\nSets how a mock receiver responds to the next deliveries. What was recorded is kept.',
  listReceiverDeliveries:
    'List what a mock receiver received, oldest first\nThe latest 1,000, and at most 64 MiB of bodies.',
  listWorkspaces: 'List the workspaces\nReturns every workspace with its plan and its members.',
  createWorkspace: 'Create a workspace\nCreates a workspace with the given plan. Add members with PUT.',
  getWorkspace: 'Get a workspace\nReturns a workspace with its plan and its members.',
  updateWorkspace:
    'Change the name or the plan of a workspace\nChanges only the fields that are sent. A plan takes effect with the next request.',
  setMember:
    'Add a member, or change the role of one\nA role takes effect with the next request, also for existing keys.',
  removeMember: 'Remove a member\nRevokes the keys that the user created in this workspace, and no others.',
  listUsers: 'List the users\nReturns every user, in all workspaces.',
  createUser: 'Create a user\nCreates a user who is not a member of any workspace yet.',
  getUser: 'Get a user\nReturns the name and the email address of a user.',
  changePassword: 'Change the password of a user\nRevokes every key of the user.',
  listKeys: 'List the API keys\nReturns every key without its secret part, in all workspaces.',
  createKey:
    'Create an API key\nReturns the whole key, which is shown only here. Owners and editors can create write keys, viewers only read keys.',
  revokeKey: 'Revoke an API key\nThe next request with the key is rejected with 401.',
  listAllForms:
    'List the forms of every workspace\nReturns the forms with their questions, trashed ones included.',
  createForm: 'Create a form\nCreates a draft. Publish it so that its public link accepts responses.',
  getBuilderForm:
    'Get a form with its questions\nReturns the form as the builder shows it, which respondents see once it is published.',
  editForm:
    'Edit a form\nChanges only the fields that are sent. Respondents see new questions and a new title after the form is published. With `revision`, refused if the form has changed since.',
  createPreview:
    'Show questions as the public form would\nThe page accepts no responses. The newest 50 previews are kept.',
  openPreview: 'The page of a preview\nNeeds no token other than the one in its path.',
  publishForm:
    'Publish the current title and questions of a form\nMakes the current title and questions public. The link of the form accepts responses.',
  closeForm: 'Close a form\nThe next request to the public link is refused.',
  reopenForm: 'Reopen a form\nThe public link accepts responses again.',
  archiveForm: 'Archive a form\nThe form stays in lists with the status `archived` and accepts no responses.',
  unarchiveForm:
    'Take a form out of the archive\nThe form has the status again that it had before it was archived.',
  trashForm: 'Move a form to the trash\nThe form disappears from the lists of the API.',
  restoreForm: 'Take a form out of the trash\nThe form appears in the lists of the API again.',
  getFormSummary:
    'Summarize the answers of a form\nCounts the newest 2,000 responses and the newest 2,000 drafts.',
  exportResponses:
    'Download all responses of a form, newest first\nStreams the responses with one status as CSV or JSON.',
  listFormResponses:
    'List responses of a form, newest first\nLike the list of the API, for any workspace, with `q` and without `since`.',
  createResponse:
    'Add a response\nValidates the answers as the public link does, but ignores closing and limits. Sends webhooks only with `deliver: true`.',
  getFormResponse: 'Get a response\nReturns a response as the API does, for any workspace.',
  deleteFormResponse:
    "Delete a response\nDeletes the response, its answers and its files, and decreases the form's response count.",
  listResponseDeliveries:
    'List the deliveries of a response that are kept, newest first\nReturns the deliveries to every endpoint of the form.',
  listEndpoints: 'List the webhook endpoints of a form\nSecrets are not included.',
  createEndpoint:
    'Add a webhook endpoint\nReturns the secret that signs deliveries, which is shown only here.',
  getEndpoint: 'Get a webhook endpoint\nReturns the endpoint with the number of its pending deliveries.',
  deleteEndpoint: 'Delete a webhook endpoint and its log\nIts pending deliveries are never sent.',
  pauseEndpoint: 'Pause an endpoint\nPending deliveries fail with a note.',
  resumeEndpoint:
    'Resume an endpoint\nNew responses are sent again. Deliveries that failed while it was paused are not.',
  rotateSecret:
    'Replace the secret of an endpoint\nThe current secret stops working immediately, including for pending retries.',
  testEndpoint: 'Send a test event\nQueues a `test.ping` with one example answer and response id 0.',
  listDeliveries:
    'List the latest 50 deliveries, newest first\nDeliveries older than 30 days are deleted unless they are pending.',
  searchDeliveries:
    'List the deliveries of all endpoints, newest first\nDeliveries that are kept, without their payloads. `counts` follow all filters but `state`. A page that follows is not changed by new deliveries.',
  streamDeliveries:
    'Stream every change of a delivery\nKeeps the connection open and sends an event for each change.',
  getDelivery:
    'Get a delivery with its attempts\nReturns the body that was sent, and what the receiver responded to each attempt.',
  replayDelivery:
    'Queue a copy of a delivery\nThe copy has a new id and follows the same schedule as any delivery.',
  retryDelivery:
    'Start the next attempt of a pending delivery now\nThe attempt counts as the next one of the schedule. Without effect while an attempt is in flight.',
  cancelDelivery:
    'Cancel a pending delivery\nThe delivery fails with a note. An attempt in flight continues, and may still deliver it.',
}
