import * as z from 'zod'
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi'
import { LIMITS, RESPONSE_STATUSES } from '../../src/index.ts'
import * as control from '../../src/schemas/control.ts'
import * as api from '../../src/schemas.ts'
import * as examples from '../openapi/examples.ts'
import { DESCRIPTIONS } from './descriptions.ts'
import { errors } from './errors.ts'

const json = (schema: z.ZodType) => ({ 'application/json': { schema } })

const returns = (schema: z.ZodType, status = 200, description = 'Done.'): ZodOpenApiResponsesObject => ({
  [status]: { description, content: json(api.itemEnvelope(schema)) } satisfies ZodOpenApiResponseObject,
})

/** Whole lists: one page, whose size is the number of items. */
const returnsAll = (schema: z.ZodType): ZodOpenApiResponsesObject => ({
  200: {
    description: 'The whole list.',
    content: json(
      z.looseObject({
        data: z.array(schema),
        meta: z.looseObject({ page: z.literal(1), per_page: z.int(), total: z.int() }),
      }),
    ),
  },
})

const body = (schema: z.ZodType) => ({ required: true, content: json(schema) })

const done = (name: string) => z.looseObject({ [name]: z.literal(true) })

const formId = z.string().meta({ description: 'Id of the form, 12 characters.', example: examples.form.id })
const number = (what: string, example = 1) =>
  z
    .int()
    .min(1)
    .meta({ description: `Id of the ${what}.`, example })
const form = { path: z.object({ id: formId }) }
const endpoint = { path: z.object({ id: formId, webhook_id: number('endpoint', examples.webhook.id) }) }
const response = { path: z.object({ id: formId, response_id: number('response', examples.response.id) }) }
const delivery = {
  path: z.object({
    id: z.string().meta({ description: 'Id of the delivery.', example: 'dlv_8mP2xQ7rT4vK9sZa' }),
  }),
}
const journaled = {
  path: z.object({
    id: z
      .string()
      .meta({ description: 'Number or `request_id` of the request.', example: 'req_8mP2xQ7r000001' }),
  }),
}
const numbered = (what: string) => ({ path: z.object({ id: number(what) }) })

type Responses = ZodOpenApiResponsesObject
type Rest = Omit<ZodOpenApiOperationObject, 'operationId' | 'tags' | 'summary' | 'responses'>

/** An operation with its own responses and the errors that every operation can return. */
const operation =
  (tag: string) =>
  (
    operationId: string,
    summary: string,
    responses: Responses,
    rest: Rest = {},
  ): ZodOpenApiOperationObject => ({
    operationId,
    tags: [tag],
    summary,
    // One that has none here has it in `rest`; the linter finds one without.
    description: DESCRIPTIONS[operationId] as string,
    ...rest,
    responses: {
      ...responses,
      ...errors('bad_request', 'unauthorized', 'forbidden', 'validation_failed', 'server_error'),
      ...(rest.requestParams?.path ? errors('not_found') : {}),
    },
  })

const server = operation('Server')
const people = operation('People and keys')
const forms = operation('Forms and responses')
const hooks = operation('Webhooks and deliveries')
const suites = operation('Suites')

const FORM_ACTIONS = {
  publish: 'Publish the current title and questions of a form',
  close: 'Close a form',
  reopen: 'Reopen a form',
  archive: 'Archive a form',
  unarchive: 'Take a form out of the archive',
  trash: 'Move a form to the trash',
  restore: 'Take a form out of the trash',
}

const formActions = Object.fromEntries(
  Object.entries(FORM_ACTIONS).map(([action, summary]) => [
    `/forms/{id}/${action}`,
    {
      post: forms(`${action}Form`, summary, returns(control.builderFormSchema), { requestParams: form }),
    },
  ]),
)

/** Every route of the control API, without the console's static files. */
export const paths: ZodOpenApiPathsObject = {
  '/health': {
    get: {
      ...server(
        'health',
        'Whether the server is ready',
        returns(z.looseObject({ status: z.literal('ok'), version: z.string() })),
        { description: 'Needs no token.', security: [] },
      ),
    },
  },
  '/openapi.json': {
    get: server('getControlOpenApi', 'This document', {
      200: { description: 'The document.', content: json(z.looseObject({ openapi: z.string() })) },
    }),
  },
  '/reset': {
    post: server('reset', 'Go back to the seed, or to the state that was loaded', returns(done('reset')), {
      description:
        'Also ends mock receivers, removes faults, clears the journal and sets a manual clock to its start.',
    }),
  },
  '/snapshot': {
    get: server('takeSnapshot', 'Take the whole state out', returns(control.snapshotSchema)),
    put: server('restoreSnapshot', 'Replace the whole state', returns(done('restored')), {
      description:
        'Takes the body of `GET /_app/snapshot`, with or without its envelope, and the file of `--state`, and sets a manual clock to the ' +
        'instant at which it was taken. What a snapshot does not contain stays: the journal, faults and mock receivers. A reset clears them.',
      requestBody: body(z.union([control.snapshotSchema, api.itemEnvelope(control.snapshotSchema)])),
    }),
  },
  '/clock': { get: server('getClock', 'Read the clock', returns(control.clockStateSchema)) },
  '/clock/advance': {
    post: server('advanceClock', 'Advance a manual clock', returns(control.clockStateSchema), {
      description: 'Returns once every attempt that came due has ended.',
      requestBody: body(control.clockAdvanceSchema),
    }),
  },
  '/requests': {
    get: server(
      'listRequests',
      'List the latest API requests, newest first',
      returnsAll(control.journalEntrySchema),
    ),
  },
  '/requests/{id}': {
    get: server(
      'getRequest',
      'Get an API request with its headers and bodies',
      returns(control.journalDetailSchema),
      {
        requestParams: journaled,
      },
    ),
  },
  '/faults': {
    get: server('listFaults', 'List the active faults', returnsAll(control.faultInForceSchema)),
    post: server('addFault', 'Inject a failure', returns(control.faultInForceSchema, 201), {
      requestBody: body(control.faultSchema),
    }),
    delete: server('clearFaults', 'Remove all faults', returns(done('deleted'))),
  },
  '/faults/{id}': {
    delete: server('deleteFault', 'Remove a fault', returns(done('deleted')), {
      requestParams: numbered('fault'),
    }),
  },

  '/catalog': {
    get: server('getCatalog', 'Get several lists in one response', returns(control.catalogSchema), {
      description:
        'What the console shows when it opens. Delivery logs have up to 50 deliveries, or fewer when there are more than 200 endpoints, so that there are at most 10,000 in all.',
      requestParams: {
        query: z.object({
          include: z.string().meta({
            description:
              'Parts, separated by commas: `clock`, `workspaces`, `users`, `keys`, `forms`, `endpoints`, `deliveries`, `faults`, `receiver`.',
            example: 'clock,forms',
          }),
        }),
      },
    }),
  },
  '/wait': {
    post: suites(
      'wait',
      'Wait for a request, a delivery or a response',
      {
        200: {
          description: 'The latest that matches. What is already recorded counts.',
          content: json(
            api.itemEnvelope(
              z.union([control.journalEntrySchema, control.deliverySchema, api.responseSchema]),
            ),
          ),
        },
        ...errors('timeout', 'rate_limited'),
      },
      { requestBody: body(control.waitRequestSchema) },
    ),
  },
  '/receivers': {
    get: suites('listReceivers', 'List the mock receivers', returnsAll(control.receiverSchema)),
    post: suites('createReceiver', 'Start a mock receiver', returns(control.receiverSchema, 201), {
      requestBody: { required: false, content: json(control.receiverSettingsSchema) },
    }),
  },
  '/receivers/built-in': {
    get: suites(
      'getBuiltInReceiver',
      'Get the built-in receiver, and start it unless it is running',
      returns(control.builtInReceiverSchema),
      {
        description: 'The endpoints of the demo point to it. A server that listens with the demo starts it.',
      },
    ),
  },
  '/receivers/built-in/script': {
    put: suites(
      'setBuiltInReceiverScript',
      'Replace the script of the built-in receiver',
      { ...returns(control.builtInReceiverSchema), ...errors('validation_failed') },
      { requestBody: body(control.receiverScriptSchema) },
    ),
  },
  '/receivers/{id}': {
    get: suites('getReceiver', 'Get a mock receiver', returns(control.receiverSchema), {
      requestParams: numbered('receiver'),
    }),
    put: suites(
      'updateReceiver',
      'Change the script or the secret of a mock receiver',
      returns(control.receiverSchema),
      {
        description: 'What was recorded is kept. An invalid body changes nothing.',
        requestParams: numbered('receiver'),
        requestBody: body(control.receiverSettingsSchema),
      },
    ),
    delete: suites(
      'deleteReceiver',
      'End a mock receiver and its open requests',
      returns(api.deletedSchema),
      {
        requestParams: numbered('receiver'),
      },
    ),
  },
  '/receivers/{id}/script': {
    put: suites(
      'setReceiverScript',
      'Replace the script of a mock receiver',
      returns(control.receiverSchema),
      {
        requestParams: numbered('receiver'),
        requestBody: body(control.receiverScriptSchema),
      },
    ),
  },
  '/receivers/{id}/deliveries': {
    get: suites(
      'listReceiverDeliveries',
      'List what a mock receiver received, oldest first',
      returnsAll(control.receiverDeliverySchema),
      { description: 'The latest 1,000, and at most 64 MiB of bodies.', requestParams: numbered('receiver') },
    ),
  },

  '/workspaces': {
    get: people('listWorkspaces', 'List the workspaces', returnsAll(control.workspaceSchema)),
    post: people('createWorkspace', 'Create a workspace', returns(control.workspaceSchema, 201), {
      requestBody: body(control.workspaceCreateSchema),
    }),
  },
  '/workspaces/{id}': {
    get: people('getWorkspace', 'Get a workspace', returns(control.workspaceSchema), {
      requestParams: numbered('workspace'),
    }),
    patch: people(
      'updateWorkspace',
      'Change the name or the plan of a workspace',
      returns(control.workspaceSchema),
      {
        requestParams: numbered('workspace'),
        requestBody: body(control.workspaceUpdateSchema),
      },
    ),
  },
  '/workspaces/{id}/members/{user_id}': {
    put: people('setMember', 'Add a member, or change the role of one', returns(control.workspaceSchema), {
      requestParams: { path: z.object({ id: number('workspace'), user_id: number('user') }) },
      requestBody: body(control.memberSetSchema),
    }),
    delete: people('removeMember', 'Remove a member', returns(control.memberRemovedSchema), {
      requestParams: { path: z.object({ id: number('workspace'), user_id: number('user') }) },
    }),
  },
  '/users': {
    get: people('listUsers', 'List the users', returnsAll(control.userSchema)),
    post: people('createUser', 'Create a user', returns(control.userSchema, 201), {
      requestBody: body(control.userCreateSchema),
    }),
  },
  '/users/{id}': {
    get: people('getUser', 'Get a user', returns(control.userSchema), { requestParams: numbered('user') }),
  },
  '/users/{id}/password': {
    post: people('changePassword', 'Change the password of a user', returns(control.passwordChangedSchema), {
      description: 'Revokes every key of the user.',
      requestParams: numbered('user'),
    }),
  },
  '/keys': {
    get: people('listKeys', 'List the API keys', returnsAll(control.apiKeySchema)),
    post: people('createKey', 'Create an API key', returns(control.createdApiKeySchema, 201), {
      requestBody: body(control.keyCreateSchema),
    }),
  },
  '/keys/{id}': {
    delete: people('revokeKey', 'Revoke an API key', returns(control.apiKeySchema), {
      requestParams: numbered('key'),
    }),
  },

  '/forms': {
    get: forms('listAllForms', 'List the forms of every workspace', returnsAll(control.builderFormSchema), {
      requestParams: {
        query: z.object({
          workspace_id: z.int().min(1).optional().meta({ description: 'One workspace only.', example: 1 }),
        }),
      },
    }),
    post: forms('createForm', 'Create a form', returns(control.builderFormSchema, 201), {
      requestBody: body(control.formCreateSchema),
    }),
  },
  '/forms/{id}': {
    get: forms('getBuilderForm', 'Get a form with its questions', returns(control.builderFormSchema), {
      requestParams: form,
    }),
    patch: forms(
      'editForm',
      'Edit a form',
      { ...returns(control.builderFormSchema), ...errors('conflict') },
      {
        requestParams: form,
        requestBody: body(control.builderFormUpdateSchema),
      },
    ),
  },
  '/previews': {
    post: forms(
      'createPreview',
      'Show questions as the public form would',
      returns(control.formPreviewSchema, 201),
      {
        description: 'The page accepts no responses. The newest 50 previews are kept.',
        requestBody: body(control.formPreviewCreateSchema),
      },
    ),
  },
  '/previews/{token}': {
    get: {
      ...forms(
        'openPreview',
        'The page of a preview',
        { 200: { description: 'The page.', content: { 'text/html': { schema: z.string() } } } },
        {
          requestParams: {
            path: z.object({
              token: z.string().meta({ description: 'Token of the preview.', example: '4fQz9aT7kLm2' }),
            }),
            query: z.object({
              static: z.string().optional().meta({ description: 'Leaves out the script.', example: '' }),
            }),
          },
        },
      ),
      description: 'Needs no token other than the one in its path.',
      security: [],
    },
  },
  ...formActions,
  '/forms/{id}/summary': {
    get: forms('getFormSummary', 'Summarize the answers of a form', returns(control.formSummarySchema), {
      description: 'Counts the newest 2,000 responses and the newest 2,000 drafts.',
      requestParams: form,
    }),
  },
  '/forms/{id}/export': {
    get: forms(
      'exportResponses',
      'Download all responses of a form, newest first',
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
        requestParams: {
          ...form,
          query: z.object({
            format: z
              .enum(['csv', 'json'])
              .optional()
              .meta({ description: '`csv` by default.', example: 'csv' }),
            status: z
              .enum(RESPONSE_STATUSES)
              .optional()
              .meta({ description: '`submitted` by default.', example: 'submitted' }),
          }),
        },
      },
    ),
  },
  '/forms/{id}/responses': {
    get: forms(
      'listFormResponses',
      'List responses of a form, newest first',
      {
        200: { description: 'One page of responses.', content: json(api.listEnvelope(api.responseSchema)) },
      },
      {
        requestParams: {
          ...form,
          query: z.object({
            status: z
              .enum(RESPONSE_STATUSES)
              .optional()
              .meta({ description: '`submitted` by default.', example: 'submitted' }),
            page: z
              .int()
              .min(1)
              .optional()
              .meta({ description: 'Page number, from 1. Default 1.', example: 1 }),
            per_page: z
              .int()
              .min(1)
              .max(LIMITS.perPageMax)
              .optional()
              .meta({ description: 'Items per page. Default 25.', example: 25 }),
          }),
        },
      },
    ),
    post: forms('createResponse', 'Add a response', returns(api.responseSchema, 201), {
      requestParams: form,
      requestBody: body(control.responseCreateSchema),
    }),
  },
  '/forms/{id}/responses/{response_id}': {
    get: forms('getFormResponse', 'Get a response', returns(api.responseSchema), { requestParams: response }),
    delete: forms('deleteFormResponse', 'Delete a response', returns(api.deletedSchema), {
      requestParams: response,
    }),
  },
  '/forms/{id}/responses/{response_id}/deliveries': {
    get: hooks(
      'listResponseDeliveries',
      'List the deliveries of a response that are kept, newest first',
      returnsAll(control.deliverySchema),
      { requestParams: response },
    ),
  },

  '/forms/{id}/webhooks': {
    get: hooks(
      'listEndpoints',
      'List the webhook endpoints of a form',
      returnsAll(api.webhookEndpointSchema),
      {
        requestParams: form,
      },
    ),
    post: hooks('createEndpoint', 'Add a webhook endpoint', returns(api.createdWebhookEndpointSchema, 201), {
      requestParams: form,
      requestBody: body(z.strictObject({ url: z.string() })),
    }),
  },
  '/forms/{id}/webhooks/{webhook_id}': {
    get: hooks('getEndpoint', 'Get a webhook endpoint', returns(control.endpointDetailSchema), {
      requestParams: endpoint,
    }),
    delete: hooks('deleteEndpoint', 'Delete a webhook endpoint and its log', returns(api.deletedSchema), {
      requestParams: endpoint,
    }),
  },
  '/forms/{id}/webhooks/{webhook_id}/pause': {
    post: hooks('pauseEndpoint', 'Pause an endpoint', returns(api.webhookEndpointSchema), {
      description: 'Pending deliveries fail with a note.',
      requestParams: endpoint,
    }),
  },
  '/forms/{id}/webhooks/{webhook_id}/resume': {
    post: hooks('resumeEndpoint', 'Resume an endpoint', returns(api.webhookEndpointSchema), {
      requestParams: endpoint,
    }),
  },
  '/forms/{id}/webhooks/{webhook_id}/rotate-secret': {
    post: hooks('rotateSecret', 'Replace the secret of an endpoint', returns(control.rotatedSecretSchema), {
      requestParams: endpoint,
    }),
  },
  '/forms/{id}/webhooks/{webhook_id}/test': {
    post: hooks('testEndpoint', 'Send a test event', returns(control.deliverySchema, 201), {
      requestParams: endpoint,
    }),
  },
  '/forms/{id}/webhooks/{webhook_id}/deliveries': {
    get: hooks(
      'listDeliveries',
      'List the latest 50 deliveries, newest first',
      returnsAll(control.deliverySchema),
      {
        requestParams: endpoint,
      },
    ),
  },
  '/deliveries/stream': {
    get: hooks(
      'streamDeliveries',
      'Stream every change of a delivery',
      {
        200: {
          description:
            'Server-sent events: `delivery` with a delivery as data, `gap` when events were missed, `reset` when the log was replaced.',
          content: { 'text/event-stream': { schema: z.string() } },
        },
        ...errors('rate_limited'),
      },
      {
        requestParams: {
          query: z.object({
            form_id: z.string().optional().meta({ description: 'One form only.', example: examples.form.id }),
            webhook_id: z
              .int()
              .min(1)
              .optional()
              .meta({ description: 'One endpoint only.', example: examples.webhook.id }),
          }),
          header: z.object({
            'Last-Event-ID': z
              .string()
              .optional()
              .meta({ description: 'Continues after this event.', example: '12' }),
          }),
        },
      },
    ),
  },
  '/deliveries/{id}': {
    get: hooks('getDelivery', 'Get a delivery with its attempts', returns(control.deliveryDetailSchema), {
      requestParams: delivery,
    }),
  },
  '/deliveries/{id}/replay': {
    post: hooks('replayDelivery', 'Queue a copy of a delivery', returns(control.deliverySchema, 201), {
      requestParams: delivery,
    }),
  },
  '/deliveries/{id}/retry': {
    post: hooks(
      'retryDelivery',
      'Start the next attempt of a pending delivery now',
      { ...returns(control.deliverySchema), ...errors('validation_failed') },
      {
        description:
          'The attempt counts as the next one of the schedule. Without effect while an attempt is in flight.',
        requestParams: delivery,
      },
    ),
  },
  '/deliveries/{id}/cancel': {
    post: hooks(
      'cancelDelivery',
      'Cancel a pending delivery',
      { ...returns(control.deliverySchema), ...errors('validation_failed') },
      {
        description:
          'The delivery fails with a note. An attempt in flight continues, and may still deliver it.',
        requestParams: delivery,
      },
    ),
  },
}
