import * as z from 'zod'
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi'
import { LIMITS, RESPONSE_STATUSES } from '../../src/index.ts'
import * as control from '../../src/schemas/control.ts'
import * as api from '../../src/schemas.ts'
import * as examples from '../openapi/examples.ts'
import { atLeastOne, idOf, json, oneOf, operationsOf, pathsOf, whole } from '../openapi/operations.ts'
import { type Name, schemaOf } from './components.ts'
import { DESCRIPTIONS } from './descriptions.ts'
import { errors } from './errors.ts'

const returns = (
  schema: Name | z.ZodType,
  status = 200,
  description = 'Done.',
): ZodOpenApiResponsesObject => ({
  [status]: {
    description,
    content: json(api.itemEnvelope(schemaOf(schema))),
  } satisfies ZodOpenApiResponseObject,
})

/** Whole lists: one page, whose size is the number of items. */
const returnsAll = (schema: Name): ZodOpenApiResponsesObject => ({
  200: {
    description: 'The whole list.',
    content: json(
      z.looseObject({
        data: z.array(schemaOf(schema)),
        meta: z.looseObject({ page: z.literal(1), per_page: z.int(), total: z.int() }),
      }),
    ),
  },
})

const done = (name: string) => returns(z.looseObject({ [name]: z.literal(true) }))

const text = (description: string, example: string) => z.string().meta({ description, example })
const operation = operationsOf({
  texts: DESCRIPTIONS,
  inPaths: {
    'deliveries/{id}': text('Id of the delivery.', 'dlv_8mP2xQ7rT4vK9sZa'),
    'faults/{id}': idOf('fault'),
    'forms/{id}': text('Id of the form, 12 characters.', examples.form.id),
    'keys/{id}': idOf('key'),
    'members/{user_id}': idOf('user'),
    'previews/{token}': text('Token of the preview.', '4fQz9aT7kLm2'),
    'receivers/{id}': idOf('receiver'),
    'requests/{id}': text('Number or `request_id` of the request.', 'req_8mP2xQ7r000001'),
    'responses/{response_id}': idOf('response', examples.response.id),
    'users/{id}': idOf('user'),
    'webhooks/{webhook_id}': idOf('endpoint', examples.webhook.id),
    'workspaces/{id}': idOf('workspace'),
  },
  errors: (isOnObject) => ({
    ...errors('bad_request', 'unauthorized', 'forbidden', 'validation_failed', 'server_error'),
    ...(isOnObject && errors('not_found')),
  }),
})
const takes = (schema: Name | z.ZodType, required = true) => ({
  body: { required, content: json(schemaOf(schema)) },
})

const server = operation('Server')
const people = operation('People and keys')
const forms = operation('Forms and responses')
const hooks = operation('Webhooks and deliveries')
const suites = operation('Suites')

const formActions = ['publish', 'close', 'reopen', 'archive', 'unarchive', 'trash', 'restore'].map(
  (action) => [`POST /forms/{id}/${action}`, forms(`${action}Form`, returns('BuilderForm'))] as const,
)

const ofForm = text('One form only.', examples.form.id).optional()
const ofEndpoint = whole('One endpoint only.', examples.webhook.id)
const search = (what: string, example: string) =>
  z
    .string()
    .max(LIMITS.webhookUrlMaxLength)
    .optional()
    .meta({ description: `Part of ${what}, in upper or lower case.`, example })

const ofStatus = oneOf(RESPONSE_STATUSES, '`submitted` by default.', 'submitted')

/** Every route of the control API, without the console's static files. */
export const paths = pathsOf({
  'GET /health': server('health', returns(z.looseObject({ status: z.literal('ok'), version: z.string() })), {
    isOpen: true,
  }),
  'GET /openapi.json': server('getControlOpenApi', {
    200: { description: 'The document.', content: json(z.looseObject({ openapi: z.string() })) },
  }),
  'POST /reset': server('reset', done('reset')),
  'GET /snapshot': server('takeSnapshot', returns('Snapshot')),
  'PUT /snapshot': server(
    'restoreSnapshot',
    done('restored'),
    takes(z.union([control.snapshotSchema, api.itemEnvelope(control.snapshotSchema)])),
  ),
  'GET /clock': server('getClock', returns('ClockState')),
  'POST /clock/advance': server('advanceClock', returns('ClockState'), takes('ClockAdvance')),
  'GET /requests': server('listRequests', returnsAll('JournalEntry')),
  'GET /requests/{id}': server('getRequest', returns('JournalDetail')),
  'GET /faults': server('listFaults', returnsAll('FaultInForce')),
  'POST /faults': server('addFault', returns('FaultInForce', 201), takes('Fault')),
  'DELETE /faults': server('clearFaults', done('deleted')),
  'DELETE /faults/{id}': server('deleteFault', done('deleted')),

  'GET /catalog': server('getCatalog', returns('Catalog'), {
    query: {
      include: text(
        'Parts, separated by commas: `clock`, `workspaces`, `users`, `keys`, `forms`, `endpoints`, `deliveries`, `faults`, `receiver`.',
        'clock,forms',
      ),
    },
  }),
  'POST /wait': suites(
    'wait',
    {
      ...returns(
        z.union([control.journalEntrySchema, control.deliverySchema, api.responseSchema]),
        200,
        'The latest that matches. What is already recorded counts.',
      ),
      ...errors('timeout', 'rate_limited'),
    },
    takes('WaitRequest'),
  ),
  'GET /receivers': suites('listReceivers', returnsAll('Receiver')),
  'POST /receivers': suites('createReceiver', returns('Receiver', 201), takes('ReceiverSettings', false)),
  'GET /receivers/built-in': suites('getBuiltInReceiver', returns('BuiltInReceiver')),
  'PUT /receivers/built-in/script': suites(
    'setBuiltInReceiverScript',
    returns('BuiltInReceiver'),
    takes('ReceiverScript'),
  ),
  'GET /receivers/{id}': suites('getReceiver', returns('Receiver')),
  'PUT /receivers/{id}': suites('updateReceiver', returns('Receiver'), takes('ReceiverSettings')),
  'DELETE /receivers/{id}': suites('deleteReceiver', returns('Deleted')),
  'PUT /receivers/{id}/script': suites('setReceiverScript', returns('Receiver'), takes('ReceiverScript')),
  'GET /receivers/{id}/deliveries': suites('listReceiverDeliveries', returnsAll('ReceiverDelivery')),

  'GET /workspaces': people('listWorkspaces', returnsAll('Workspace')),
  'POST /workspaces': people('createWorkspace', returns('Workspace', 201), takes('WorkspaceCreate')),
  'GET /workspaces/{id}': people('getWorkspace', returns('Workspace')),
  'PATCH /workspaces/{id}': people('updateWorkspace', returns('Workspace'), takes('WorkspaceUpdate')),
  'PUT /workspaces/{id}/members/{user_id}': people('setMember', returns('Workspace'), takes('MemberSet')),
  'DELETE /workspaces/{id}/members/{user_id}': people('removeMember', returns('MemberRemoved')),
  'GET /users': people('listUsers', returnsAll('User')),
  'POST /users': people('createUser', returns('User', 201), takes('UserCreate')),
  'GET /users/{id}': people('getUser', returns('User')),
  'POST /users/{id}/password': people('changePassword', returns('PasswordChanged')),
  'GET /keys': people('listKeys', returnsAll('ApiKey')),
  'POST /keys': people('createKey', returns('CreatedApiKey', 201), takes('KeyCreate')),
  'DELETE /keys/{id}': people('revokeKey', returns('ApiKey')),

  'GET /forms': forms('listAllForms', returnsAll('BuilderForm'), {
    query: { workspace_id: whole('One workspace only.', 1) },
  }),
  'POST /forms': forms('createForm', returns('BuilderForm', 201), takes('FormCreate')),
  'GET /forms/{id}': forms('getBuilderForm', returns('BuilderForm')),
  'PATCH /forms/{id}': forms(
    'editForm',
    { ...returns('BuilderForm'), ...errors('conflict') },
    takes('BuilderFormUpdate'),
  ),
  'POST /previews': forms('createPreview', returns('FormPreview', 201), takes('FormPreviewCreate')),
  'GET /previews/{token}': forms(
    'openPreview',
    { 200: { description: 'The page.', content: { 'text/html': { schema: z.string() } } } },
    {
      query: { static: text('Leaves out the script.', '').optional() },
      isOpen: true,
    },
  ),
  ...Object.fromEntries(formActions),
  'GET /forms/{id}/summary': forms('getFormSummary', returns('FormSummary')),
  'GET /forms/{id}/export': forms(
    'exportResponses',
    {
      200: {
        description:
          'One row for each response, with a column for each question, or an array of responses as the API shows them.',
        content: {
          'text/csv': { schema: z.string() },
          'application/json': { schema: z.array(api.responseSchema) },
        },
      },
    },
    {
      query: {
        format: oneOf(['csv', 'json'], '`csv` by default.', 'csv'),
        status: ofStatus,
      },
    },
  ),
  'GET /forms/{id}/responses': forms(
    'listFormResponses',
    { 200: { description: 'One page of responses.', content: json(api.listEnvelope(api.responseSchema)) } },
    {
      query: {
        q: search('the id, the email address or the text of an answer', 'ada'),
        status: ofStatus,
        page: whole('Page number, from 1. Default 1.', 1),
        per_page: whole('Items per page. Default 25.', 25, atLeastOne.max(LIMITS.perPageMax)),
      },
    },
  ),
  'POST /forms/{id}/responses': forms(
    'createResponse',
    returns('FormResponse', 201),
    takes('ResponseCreate'),
  ),
  'GET /forms/{id}/responses/{response_id}': forms('getFormResponse', returns('FormResponse')),
  'DELETE /forms/{id}/responses/{response_id}': forms('deleteFormResponse', returns('Deleted')),
  'GET /forms/{id}/responses/{response_id}/deliveries': hooks(
    'listResponseDeliveries',
    returnsAll('Delivery'),
  ),

  'GET /forms/{id}/webhooks': hooks('listEndpoints', returnsAll('WebhookEndpoint')),
  'POST /forms/{id}/webhooks': hooks(
    'createEndpoint',
    returns('CreatedWebhookEndpoint', 201),
    takes(z.strictObject({ url: z.string() })),
  ),
  'GET /forms/{id}/webhooks/{webhook_id}': hooks('getEndpoint', returns('EndpointDetail')),
  'DELETE /forms/{id}/webhooks/{webhook_id}': hooks('deleteEndpoint', returns('Deleted')),
  'POST /forms/{id}/webhooks/{webhook_id}/pause': hooks('pauseEndpoint', returns('WebhookEndpoint')),
  'POST /forms/{id}/webhooks/{webhook_id}/resume': hooks('resumeEndpoint', returns('WebhookEndpoint')),
  'POST /forms/{id}/webhooks/{webhook_id}/rotate-secret': hooks('rotateSecret', returns('RotatedSecret')),
  'POST /forms/{id}/webhooks/{webhook_id}/test': hooks('testEndpoint', returns('Delivery', 201)),
  'GET /forms/{id}/webhooks/{webhook_id}/deliveries': hooks('listDeliveries', returnsAll('Delivery')),
  'GET /deliveries': hooks(
    'searchDeliveries',
    { 200: { description: 'A page of deliveries.', content: json(control.deliveryPageSchema) } },
    {
      query: {
        form_id: ofForm,
        webhook_id: ofEndpoint,
        state: oneOf(
          ['retrying', 'failed', 'delivered', 'pending'],
          '`retrying`: pending, with a failed attempt.',
          'failed',
        ),
        ids: text('Only these, separated by commas.', 'dlv_8mP2xQ7rT4vK9sZa').optional(),
        q: search('an id, the URL, the outcome or the text of an answer', 'refused'),
        cursor: text('`next_cursor` of the page before.', 'dlv_8mP2xQ7rT4vK9sZa').optional(),
        limit: whole('Deliveries per page. Default 100.', 100, atLeastOne.max(1000)),
      },
    },
  ),
  'GET /deliveries/stream': hooks(
    'streamDeliveries',
    {
      200: {
        description:
          'Server-sent events: `delivery` with a delivery as data, `gap` when events were missed, `reset` when the log was replaced.',
        content: { 'text/event-stream': { schema: z.string() } },
      },
      ...errors('rate_limited'),
    },
    {
      query: { form_id: ofForm, webhook_id: ofEndpoint },
      header: { 'Last-Event-ID': text('Continues after this event.', '12').optional() },
    },
  ),
  'GET /deliveries/{id}': hooks('getDelivery', returns('DeliveryDetail')),
  'POST /deliveries/{id}/replay': hooks('replayDelivery', returns('Delivery', 201)),
  'POST /deliveries/{id}/retry': hooks('retryDelivery', returns('Delivery')),
  'POST /deliveries/{id}/cancel': hooks('cancelDelivery', returns('Delivery')),
})
