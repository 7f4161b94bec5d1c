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

const done = (name: string) => returns(z.looseObject({ [name]: z.literal(true) }))

const text = (description: string, example: string) => z.string().meta({ description, example })
const number = (what: string, example = 1) =>
  z
    .int()
    .min(1)
    .meta({ description: `Id of the ${what}.`, example })

/** The parameters in paths, each with what comes before it. */
const IN_PATHS: Readonly<Record<string, z.ZodType>> = {
  'deliveries/{id}': text('Id of the delivery.', 'dlv_8mP2xQ7rT4vK9sZa'),
  'faults/{id}': number('fault'),
  'forms/{id}': text('Id of the form, 12 characters.', examples.form.id),
  'keys/{id}': number('key'),
  'members/{user_id}': number('user'),
  'previews/{token}': text('Token of the preview.', '4fQz9aT7kLm2'),
  'receivers/{id}': number('receiver'),
  'requests/{id}': text('Number or `request_id` of the request.', 'req_8mP2xQ7r000001'),
  'responses/{response_id}': number('response', examples.response.id),
  'users/{id}': number('user'),
  'webhooks/{webhook_id}': number('endpoint', examples.webhook.id),
  'workspaces/{id}': number('workspace'),
}

/** What an operation takes besides the parameters in its path. */
interface Takes {
  readonly body?: z.ZodType
  readonly optionalBody?: z.ZodType
  readonly query?: Readonly<Record<string, z.ZodType>>
  readonly header?: Readonly<Record<string, z.ZodType>>
  /** Needs no token. */
  readonly isOpen?: true
}

/** An operation of a tag, with its own responses and the errors that every operation can return. */
const operation =
  (tag: string) =>
  (operationId: string, summary: string, responses: ZodOpenApiResponsesObject, takes: Takes = {}) =>
  (path: string): ZodOpenApiOperationObject => {
    const { body, optionalBody, query, header, isOpen } = takes
    const names = Array.from(path.matchAll(/\w+\/\{(\w+)\}/g), ([at, name]) => [name, IN_PATHS[at]])
    const parameters = {
      ...(names.length > 0 && { path: z.object(Object.fromEntries(names)) }),
      ...(query && { query: z.object(query) }),
      ...(header && { header: z.object(header) }),
    }
    return {
      operationId,
      tags: [tag],
      summary,
      // The linter finds one without.
      description: DESCRIPTIONS[operationId] as string,
      ...(Object.keys(parameters).length > 0 && { requestParams: parameters }),
      ...(body && { requestBody: { required: true, content: json(body) } }),
      ...(optionalBody && { requestBody: { required: false, content: json(optionalBody) } }),
      responses: {
        ...responses,
        ...errors('bad_request', 'unauthorized', 'forbidden', 'validation_failed', 'server_error'),
        ...(names.length > 0 && errors('not_found')),
      },
      ...(isOpen && { security: [] }),
    }
  }

const server = operation('Server')
const people = operation('People and keys')
const forms = operation('Forms and responses')
const hooks = operation('Webhooks and deliveries')
const suites = operation('Suites')

const formAction = (action: string, summary: string) => ({
  [`POST /forms/{id}/${action}`]: forms(`${action}Form`, summary, returns(control.builderFormSchema)),
})

const ofStatus = z
  .enum(RESPONSE_STATUSES)
  .optional()
  .meta({ description: '`submitted` by default.', example: 'submitted' })

/** Every route of the control API, without the console's static files. */
const ROUTES: Readonly<Record<string, (path: string) => ZodOpenApiOperationObject>> = {
  'GET /health': server(
    'health',
    'Whether the server is ready',
    returns(z.looseObject({ status: z.literal('ok'), version: z.string() })),
    { isOpen: true },
  ),
  'GET /openapi.json': server('getControlOpenApi', 'This document', {
    200: { description: 'The document.', content: json(z.looseObject({ openapi: z.string() })) },
  }),
  'POST /reset': server('reset', 'Go back to the seed, or to the state that was loaded', done('reset')),
  'GET /snapshot': server('takeSnapshot', 'Take the whole state out', returns(control.snapshotSchema)),
  'PUT /snapshot': server('restoreSnapshot', 'Replace the whole state', done('restored'), {
    body: z.union([control.snapshotSchema, api.itemEnvelope(control.snapshotSchema)]),
  }),
  'GET /clock': server('getClock', 'Read the clock', returns(control.clockStateSchema)),
  'POST /clock/advance': server('advanceClock', 'Advance a manual clock', returns(control.clockStateSchema), {
    body: control.clockAdvanceSchema,
  }),
  'GET /requests': server(
    'listRequests',
    'List the latest API requests, newest first',
    returnsAll(control.journalEntrySchema),
  ),
  'GET /requests/{id}': server(
    'getRequest',
    'Get an API request with its headers and bodies',
    returns(control.journalDetailSchema),
  ),
  'GET /faults': server('listFaults', 'List the active faults', returnsAll(control.faultInForceSchema)),
  'POST /faults': server('addFault', 'Inject a failure', returns(control.faultInForceSchema, 201), {
    body: control.faultSchema,
  }),
  'DELETE /faults': server('clearFaults', 'Remove all faults', done('deleted')),
  'DELETE /faults/{id}': server('deleteFault', 'Remove a fault', done('deleted')),

  'GET /catalog': server('getCatalog', 'Get several lists in one response', returns(control.catalogSchema), {
    query: {
      include: text(
        'Parts, separated by commas: `clock`, `workspaces`, `users`, `keys`, `forms`, `endpoints`, `deliveries`, `faults`, `receiver`.',
        'clock,forms',
      ),
    },
  }),
  'POST /wait': suites(
    'wait',
    'Wait for a request, a delivery or a response',
    {
      ...returns(
        z.union([control.journalEntrySchema, control.deliverySchema, api.responseSchema]),
        200,
        'The latest that matches. What is already recorded counts.',
      ),
      ...errors('timeout', 'rate_limited'),
    },
    { body: control.waitRequestSchema },
  ),
  'GET /receivers': suites('listReceivers', 'List the mock receivers', returnsAll(control.receiverSchema)),
  'POST /receivers': suites('createReceiver', 'Start a mock receiver', returns(control.receiverSchema, 201), {
    optionalBody: control.receiverSettingsSchema,
  }),
  'GET /receivers/built-in': suites(
    'getBuiltInReceiver',
    'Get the built-in receiver, and start it unless it is running',
    returns(control.builtInReceiverSchema),
  ),
  'PUT /receivers/built-in/script': suites(
    'setBuiltInReceiverScript',
    'Replace the script of the built-in receiver',
    returns(control.builtInReceiverSchema),
    { body: control.receiverScriptSchema },
  ),
  'GET /receivers/{id}': suites('getReceiver', 'Get a mock receiver', returns(control.receiverSchema)),
  'PUT /receivers/{id}': suites(
    'updateReceiver',
    'Change the script or the secret of a mock receiver',
    returns(control.receiverSchema),
    { body: control.receiverSettingsSchema },
  ),
  'DELETE /receivers/{id}': suites(
    'deleteReceiver',
    'End a mock receiver and its open requests',
    returns(api.deletedSchema),
  ),
  'PUT /receivers/{id}/script': suites(
    'setReceiverScript',
    'Replace the script of a mock receiver',
    returns(control.receiverSchema),
    { body: control.receiverScriptSchema },
  ),
  'GET /receivers/{id}/deliveries': suites(
    'listReceiverDeliveries',
    'List what a mock receiver received, oldest first',
    returnsAll(control.receiverDeliverySchema),
  ),

  'GET /workspaces': people('listWorkspaces', 'List the workspaces', returnsAll(control.workspaceSchema)),
  'POST /workspaces': people('createWorkspace', 'Create a workspace', returns(control.workspaceSchema, 201), {
    body: control.workspaceCreateSchema,
  }),
  'GET /workspaces/{id}': people('getWorkspace', 'Get a workspace', returns(control.workspaceSchema)),
  'PATCH /workspaces/{id}': people(
    'updateWorkspace',
    'Change the name or the plan of a workspace',
    returns(control.workspaceSchema),
    { body: control.workspaceUpdateSchema },
  ),
  'PUT /workspaces/{id}/members/{user_id}': people(
    'setMember',
    'Add a member, or change the role of one',
    returns(control.workspaceSchema),
    { body: control.memberSetSchema },
  ),
  'DELETE /workspaces/{id}/members/{user_id}': people(
    'removeMember',
    'Remove a member',
    returns(control.memberRemovedSchema),
  ),
  'GET /users': people('listUsers', 'List the users', returnsAll(control.userSchema)),
  'POST /users': people('createUser', 'Create a user', returns(control.userSchema, 201), {
    body: control.userCreateSchema,
  }),
  'GET /users/{id}': people('getUser', 'Get a user', returns(control.userSchema)),
  'POST /users/{id}/password': people(
    'changePassword',
    'Change the password of a user',
    returns(control.passwordChangedSchema),
  ),
  'GET /keys': people('listKeys', 'List the API keys', returnsAll(control.apiKeySchema)),
  'POST /keys': people('createKey', 'Create an API key', returns(control.createdApiKeySchema, 201), {
    body: control.keyCreateSchema,
  }),
  'DELETE /keys/{id}': people('revokeKey', 'Revoke an API key', returns(control.apiKeySchema)),

  'GET /forms': forms(
    'listAllForms',
    'List the forms of every workspace',
    returnsAll(control.builderFormSchema),
    {
      query: {
        workspace_id: z.int().min(1).optional().meta({ description: 'One workspace only.', example: 1 }),
      },
    },
  ),
  'POST /forms': forms('createForm', 'Create a form', returns(control.builderFormSchema, 201), {
    body: control.formCreateSchema,
  }),
  'GET /forms/{id}': forms(
    'getBuilderForm',
    'Get a form with its questions',
    returns(control.builderFormSchema),
  ),
  'PATCH /forms/{id}': forms(
    'editForm',
    'Edit a form',
    { ...returns(control.builderFormSchema), ...errors('conflict') },
    { body: control.builderFormUpdateSchema },
  ),
  'POST /previews': forms(
    'createPreview',
    'Show questions as the public form would',
    returns(control.formPreviewSchema, 201),
    { body: control.formPreviewCreateSchema },
  ),
  'GET /previews/{token}': forms(
    'openPreview',
    'The page of a preview',
    { 200: { description: 'The page.', content: { 'text/html': { schema: z.string() } } } },
    {
      query: { static: z.string().optional().meta({ description: 'Leaves out the script.', example: '' }) },
      isOpen: true,
    },
  ),
  ...formAction('publish', 'Publish the current title and questions of a form'),
  ...formAction('close', 'Close a form'),
  ...formAction('reopen', 'Reopen a form'),
  ...formAction('archive', 'Archive a form'),
  ...formAction('unarchive', 'Take a form out of the archive'),
  ...formAction('trash', 'Move a form to the trash'),
  ...formAction('restore', 'Take a form out of the trash'),
  'GET /forms/{id}/summary': forms(
    'getFormSummary',
    'Summarize the answers of a form',
    returns(control.formSummarySchema),
  ),
  'GET /forms/{id}/export': forms(
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
      query: {
        format: z.enum(['csv', 'json']).optional().meta({ description: '`csv` by default.', example: 'csv' }),
        status: ofStatus,
      },
    },
  ),
  'GET /forms/{id}/responses': forms(
    'listFormResponses',
    'List responses of a form, newest first',
    { 200: { description: 'One page of responses.', content: json(api.listEnvelope(api.responseSchema)) } },
    {
      query: {
        status: ofStatus,
        page: z.int().min(1).optional().meta({ description: 'Page number, from 1. Default 1.', example: 1 }),
        per_page: z
          .int()
          .min(1)
          .max(LIMITS.perPageMax)
          .optional()
          .meta({ description: 'Items per page. Default 25.', example: 25 }),
      },
    },
  ),
  'POST /forms/{id}/responses': forms('createResponse', 'Add a response', returns(api.responseSchema, 201), {
    body: control.responseCreateSchema,
  }),
  'GET /forms/{id}/responses/{response_id}': forms(
    'getFormResponse',
    'Get a response',
    returns(api.responseSchema),
  ),
  'DELETE /forms/{id}/responses/{response_id}': forms(
    'deleteFormResponse',
    'Delete a response',
    returns(api.deletedSchema),
  ),
  'GET /forms/{id}/responses/{response_id}/deliveries': hooks(
    'listResponseDeliveries',
    'List the deliveries of a response that are kept, newest first',
    returnsAll(control.deliverySchema),
  ),

  'GET /forms/{id}/webhooks': hooks(
    'listEndpoints',
    'List the webhook endpoints of a form',
    returnsAll(api.webhookEndpointSchema),
  ),
  'POST /forms/{id}/webhooks': hooks(
    'createEndpoint',
    'Add a webhook endpoint',
    returns(api.createdWebhookEndpointSchema, 201),
    { body: z.strictObject({ url: z.string() }) },
  ),
  'GET /forms/{id}/webhooks/{webhook_id}': hooks(
    'getEndpoint',
    'Get a webhook endpoint',
    returns(control.endpointDetailSchema),
  ),
  'DELETE /forms/{id}/webhooks/{webhook_id}': hooks(
    'deleteEndpoint',
    'Delete a webhook endpoint and its log',
    returns(api.deletedSchema),
  ),
  'POST /forms/{id}/webhooks/{webhook_id}/pause': hooks(
    'pauseEndpoint',
    'Pause an endpoint',
    returns(api.webhookEndpointSchema),
  ),
  'POST /forms/{id}/webhooks/{webhook_id}/resume': hooks(
    'resumeEndpoint',
    'Resume an endpoint',
    returns(api.webhookEndpointSchema),
  ),
  'POST /forms/{id}/webhooks/{webhook_id}/rotate-secret': hooks(
    'rotateSecret',
    'Replace the secret of an endpoint',
    returns(control.rotatedSecretSchema),
  ),
  'POST /forms/{id}/webhooks/{webhook_id}/test': hooks(
    'testEndpoint',
    'Send a test event',
    returns(control.deliverySchema, 201),
  ),
  'GET /forms/{id}/webhooks/{webhook_id}/deliveries': hooks(
    'listDeliveries',
    'List the latest 50 deliveries, newest first',
    returnsAll(control.deliverySchema),
  ),
  'GET /deliveries/stream': hooks(
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
      query: {
        form_id: z.string().optional().meta({ description: 'One form only.', example: examples.form.id }),
        webhook_id: z
          .int()
          .min(1)
          .optional()
          .meta({ description: 'One endpoint only.', example: examples.webhook.id }),
      },
      header: {
        'Last-Event-ID': z
          .string()
          .optional()
          .meta({ description: 'Continues after this event.', example: '12' }),
      },
    },
  ),
  'GET /deliveries/{id}': hooks(
    'getDelivery',
    'Get a delivery with its attempts',
    returns(control.deliveryDetailSchema),
  ),
  'POST /deliveries/{id}/replay': hooks(
    'replayDelivery',
    'Queue a copy of a delivery',
    returns(control.deliverySchema, 201),
  ),
  'POST /deliveries/{id}/retry': hooks(
    'retryDelivery',
    'Start the next attempt of a pending delivery now',
    returns(control.deliverySchema),
  ),
  'POST /deliveries/{id}/cancel': hooks(
    'cancelDelivery',
    'Cancel a pending delivery',
    returns(control.deliverySchema),
  ),
}

const items: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
for (const [route, describe] of Object.entries(ROUTES)) {
  const [method = '', path = ''] = route.split(' ')
  items[path] = { ...items[path], [method.toLowerCase()]: describe(path) }
}

/** Every path of the control API, without the console's static files. */
export const paths: ZodOpenApiPathsObject = items
