import * as z from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi'
import { ERROR_STATUS, type ErrorCode, FORM_STATUSES, LIMITS, RESPONSE_STATUSES } from '../../src/index.ts'
import {
  createdWebhookEndpointSchema,
  deletedSchema,
  formSchema,
  formUpdateSchema,
  itemEnvelope,
  listEnvelope,
  meSchema,
  responseSchema,
  webhookCreateSchema,
  webhookEndpointSchema,
} from '../../src/schemas.ts'
import { errorResponses } from './errors.ts'
import * as examples from './examples.ts'

const json = (schema: z.ZodType, example: unknown) => ({ 'application/json': { schema, example } })

const item = (description: string, schema: z.ZodType, example: unknown) => ({
  description,
  content: json(itemEnvelope(schema), { data: example }),
})

const list = (description: string, schema: z.ZodType, example: unknown) => ({
  description,
  content: json(listEnvelope(schema), { data: [example], meta: { page: 1, per_page: 25, total: 1 } }),
})

/**
 * Errors that every route can return. 422 is one of them because a deployment can reject unknown parameters. Other errors
 * are listed at their routes.
 */
const ALWAYS: ErrorCode[] = [
  'bad_request',
  'unauthorized',
  'forbidden',
  'validation_failed',
  'rate_limited',
  'server_error',
]

const errors = (...codes: ErrorCode[]) =>
  Object.fromEntries([...ALWAYS, ...codes].map((code) => [ERROR_STATUS[code], errorResponses[code]]))

/** A deployment can reject a body with 413 or 415 instead of 400 (ERR-01). */
const bodyErrors = { 413: errorResponses.bad_request, 415: errorResponses.bad_request }

const formId = z.string().length(LIMITS.formIdLength).meta({
  description: 'Id of the form, 12 characters.',
  example: examples.form.id,
})
const responseId = z.int().min(1).meta({ description: 'Id of the response.', example: examples.response.id })
const webhookId = z.int().min(1).meta({ description: 'Id of the endpoint.', example: examples.webhook.id })

const pages = {
  page: z.int().min(1).optional().meta({ description: 'Page number, from 1. Default 1.', example: 1 }),
  per_page: z.int().min(1).max(LIMITS.perPageMax).optional().meta({
    description: 'Items per page, 1 to 100. Default 25.',
    example: LIMITS.perPageDefault,
  }),
}

const getMe: ZodOpenApiOperationObject = {
  operationId: 'getMe',
  tags: ['Key'],
  summary: 'Get the current key',
  description: 'Returns the user and workspace of the key, and its scope.',
  responses: { 200: item('The user, the workspace and the key.', meSchema, examples.me), ...errors() },
}

const listForms: ZodOpenApiOperationObject = {
  operationId: 'listForms',
  tags: ['Forms'],
  summary: 'List forms',
  description:
    "The forms of the key's workspace, most recently updated first. Trashed forms are not included.",
  requestParams: {
    query: z.object({
      status: z
        .enum(FORM_STATUSES)
        .optional()
        .meta({ description: 'Returns only forms with this status.', example: 'published' }),
      ...pages,
    }),
  },
  responses: { 200: list('One page of forms.', formSchema, examples.form), ...errors() },
}

const getForm: ZodOpenApiOperationObject = {
  operationId: 'getForm',
  tags: ['Forms'],
  summary: 'Get a form',
  description: 'Its questions are not part of the API.',
  requestParams: { path: z.object({ id: formId }) },
  responses: { 200: item('The form.', formSchema, examples.form), ...errors('not_found') },
}

const updateForm: ZodOpenApiOperationObject = {
  operationId: 'updateForm',
  tags: ['Forms'],
  summary: 'Close, reopen or rename a form',
  description:
    'Requires a write key and at least one field. `status` is accepted only for a form that has been published. The title changes in the dashboard only; respondents see it after the form is published again in the builder.',
  requestParams: { path: z.object({ id: formId }) },
  requestBody: { required: true, content: json(formUpdateSchema, { status: 'closed' }) },
  responses: {
    200: item('The updated form.', formSchema, examples.closedForm),
    ...errors('not_found'),
    409: errorResponses.conflict,
    ...bodyErrors,
  },
}

const listResponses: ZodOpenApiOperationObject = {
  operationId: 'listResponses',
  tags: ['Responses'],
  summary: 'List responses',
  description:
    'Newest first. To poll, pass the newest `submitted_at` that you have seen as `since`, request pages until one has fewer items than `per_page`, and skip ids that you have already seen, because `since` is inclusive.',
  requestParams: {
    path: z.object({ id: formId }),
    query: z.object({
      status: z.enum(RESPONSE_STATUSES).optional().meta({
        description: '`submitted` (default), or `in_progress` for saved drafts.',
        example: 'submitted',
      }),
      since: z.string().optional().meta({
        description:
          'ISO 8601 date or date-time. Returns only responses submitted (drafts: last saved) at or after it. UTC unless it has a time zone.',
        example: '2026-11-21T09:30:00Z',
      }),
      ...pages,
    }),
  },
  responses: {
    200: list('One page of responses.', responseSchema, examples.response),
    ...errors('not_found'),
  },
}

const getResponse: ZodOpenApiOperationObject = {
  operationId: 'getResponse',
  tags: ['Responses'],
  summary: 'Get a response',
  description: 'A response of another form is not found, even in the same workspace.',
  requestParams: { path: z.object({ id: formId, response_id: responseId }) },
  responses: { 200: item('The response.', responseSchema, examples.response), ...errors('not_found') },
}

const deleteResponse: ZodOpenApiOperationObject = {
  operationId: 'deleteResponse',
  tags: ['Responses'],
  summary: 'Delete a response',
  description:
    "Requires a write key. Deletes the response, its answers and its uploaded files, and decreases the form's response count. This cannot be undone.",
  requestParams: { path: z.object({ id: formId, response_id: responseId }) },
  responses: {
    200: item('The response was deleted.', deletedSchema, { id: examples.response.id, deleted: true }),
    ...errors('not_found'),
  },
}

const listWebhooks: ZodOpenApiOperationObject = {
  operationId: 'listWebhooks',
  tags: ['Webhooks'],
  summary: "List a form's webhook endpoints",
  description: 'Secrets are not included.',
  requestParams: { path: z.object({ id: formId }), query: z.object(pages) },
  responses: {
    200: list('The endpoints.', webhookEndpointSchema, examples.webhook),
    ...errors('not_found'),
  },
}

const createWebhook: ZodOpenApiOperationObject = {
  operationId: 'createWebhook',
  tags: ['Webhooks'],
  summary: 'Add a webhook endpoint',
  description:
    'Requires a write key. A form can have at most 10 endpoints. The response contains the secret that signs deliveries, which is returned only here.',
  requestParams: { path: z.object({ id: formId }) },
  requestBody: { required: true, content: json(webhookCreateSchema, { url: examples.webhook.url }) },
  responses: {
    201: item('The endpoint, with its secret.', createdWebhookEndpointSchema, examples.createdWebhook),
    ...errors('not_found'),
    ...bodyErrors,
  },
}

const deleteWebhook: ZodOpenApiOperationObject = {
  operationId: 'deleteWebhook',
  tags: ['Webhooks'],
  summary: 'Delete a webhook endpoint',
  description:
    'Requires a write key. Also deletes the delivery log of the endpoint. Returns 200 or 204, depending on the deployment.',
  requestParams: { path: z.object({ id: formId, webhook_id: webhookId }) },
  responses: {
    200: item('The endpoint was deleted.', deletedSchema, { id: examples.webhook.id, deleted: true }),
    204: { description: 'The endpoint was deleted.' },
    ...errors('not_found'),
  },
}

/** Every route of version 1. */
export const paths: ZodOpenApiPathsObject = {
  '/me': { get: getMe },
  '/forms': { get: listForms },
  '/forms/{id}': { get: getForm, patch: updateForm },
  '/forms/{id}/responses': { get: listResponses },
  '/forms/{id}/responses/{response_id}': { get: getResponse, delete: deleteResponse },
  '/forms/{id}/webhooks': { get: listWebhooks, post: createWebhook },
  '/forms/{id}/webhooks/{webhook_id}': { delete: deleteWebhook },
}
