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

/** Every route may answer these; the others are named where they can come. */
const ALWAYS: ErrorCode[] = ['bad_request', 'unauthorized', 'forbidden', 'rate_limited', 'server_error']

const errors = (...codes: ErrorCode[]) =>
  Object.fromEntries([...ALWAYS, ...codes].map((code) => [ERROR_STATUS[code], errorResponses[code]]))

const formId = z.string().length(LIMITS.formIdLength).meta({
  description: 'Id of the form, 12 characters.',
  example: examples.form.id,
})
const responseId = z.int().min(1).meta({ description: 'Id of the response.', example: examples.response.id })
const webhookId = z.int().min(1).meta({ description: 'Id of the endpoint.', example: examples.webhook.id })

const pages = {
  page: z.int().min(1).optional().meta({ description: 'Number of the page, from 1. Default 1.', example: 1 }),
  per_page: z.int().min(1).max(LIMITS.perPageMax).optional().meta({
    description: 'Most items a page holds, 1 to 100. Default 25.',
    example: LIMITS.perPageDefault,
  }),
}

const getMe: ZodOpenApiOperationObject = {
  operationId: 'getMe',
  tags: ['Key'],
  summary: 'Identify the key',
  description: 'Who the key belongs to, the workspace it reaches and what it may do.',
  responses: { 200: item('The user, the workspace and the key.', meSchema, examples.me), ...errors() },
}

const listForms: ZodOpenApiOperationObject = {
  operationId: 'listForms',
  tags: ['Forms'],
  summary: 'List forms',
  description: "The forms of the key's workspace, most recently updated first. Trashed forms are left out.",
  requestParams: {
    query: z.object({
      status: z.enum(FORM_STATUSES).optional().meta({ description: 'Keeps the forms in this state.' }),
      ...pages,
    }),
  },
  responses: { 200: list('One page of forms.', formSchema, examples.form), ...errors('validation_failed') },
}

const getForm: ZodOpenApiOperationObject = {
  operationId: 'getForm',
  tags: ['Forms'],
  summary: 'Read a form',
  requestParams: { path: z.object({ id: formId }) },
  responses: { 200: item('The form.', formSchema, examples.form), ...errors('not_found') },
}

const updateForm: ZodOpenApiOperationObject = {
  operationId: 'updateForm',
  tags: ['Forms'],
  summary: 'Close, reopen or rename a form',
  description:
    'Needs a write key. Takes at least one member; `status` only for a form that is already published. The title changes in the dashboard only: respondents see it once the form is published again in the builder.',
  requestParams: { path: z.object({ id: formId }) },
  requestBody: { required: true, content: json(formUpdateSchema, { status: 'closed' }) },
  responses: {
    200: item('The form as it is now.', formSchema, examples.closedForm),
    ...errors('not_found', 'validation_failed'),
  },
}

const listResponses: ZodOpenApiOperationObject = {
  operationId: 'listResponses',
  tags: ['Responses'],
  summary: 'List responses',
  description:
    'Newest first. To poll, pass the newest `submitted_at` seen as `since`, page until a page holds fewer items than `per_page`, and drop the ids already seen: `since` is inclusive.',
  requestParams: {
    path: z.object({ id: formId }),
    query: z.object({
      status: z
        .enum(RESPONSE_STATUSES)
        .optional()
        .meta({ description: '`submitted` (default), or `in_progress` for saved drafts.' }),
      since: z.string().optional().meta({
        description:
          'ISO 8601 date or date-time. Keeps responses submitted (drafts: last saved) at or after it; without a time zone it is read as UTC.',
        example: '2026-11-21T09:30:00Z',
      }),
      ...pages,
    }),
  },
  responses: {
    200: list('One page of responses.', responseSchema, examples.response),
    ...errors('not_found', 'validation_failed'),
  },
}

const getResponse: ZodOpenApiOperationObject = {
  operationId: 'getResponse',
  tags: ['Responses'],
  summary: 'Read a response',
  requestParams: { path: z.object({ id: formId, response_id: responseId }) },
  responses: { 200: item('The response.', responseSchema, examples.response), ...errors('not_found') },
}

const deleteResponse: ZodOpenApiOperationObject = {
  operationId: 'deleteResponse',
  tags: ['Responses'],
  summary: 'Delete a response',
  description:
    "Needs a write key. Deletes the response, its answers and its uploaded files, and lowers the form's response count. It cannot be undone.",
  requestParams: { path: z.object({ id: formId, response_id: responseId }) },
  responses: {
    200: item('The response is gone.', deletedSchema, { id: examples.response.id, deleted: true }),
    ...errors('not_found'),
  },
}

const listWebhooks: ZodOpenApiOperationObject = {
  operationId: 'listWebhooks',
  tags: ['Webhooks'],
  summary: "List a form's webhook endpoints",
  description: 'The secret is never shown.',
  requestParams: { path: z.object({ id: formId }), query: z.object(pages) },
  responses: {
    200: list('The endpoints.', webhookEndpointSchema, examples.webhook),
    ...errors('not_found', 'validation_failed'),
  },
}

const createWebhook: ZodOpenApiOperationObject = {
  operationId: 'createWebhook',
  tags: ['Webhooks'],
  summary: 'Add a webhook endpoint',
  description:
    'Needs a write key. At most 10 endpoints a form. The answer holds the secret that signs its deliveries: it is shown here and never again.',
  requestParams: { path: z.object({ id: formId }) },
  requestBody: { required: true, content: json(webhookCreateSchema, { url: examples.webhook.url }) },
  responses: {
    201: item('The endpoint, with its secret.', createdWebhookEndpointSchema, examples.createdWebhook),
    ...errors('not_found', 'validation_failed'),
  },
}

const deleteWebhook: ZodOpenApiOperationObject = {
  operationId: 'deleteWebhook',
  tags: ['Webhooks'],
  summary: 'Remove a webhook endpoint',
  description:
    'Needs a write key. Its delivery log goes too. Success is 200 or 204, as the deployment has it.',
  requestParams: { path: z.object({ id: formId, webhook_id: webhookId }) },
  responses: {
    200: item('The endpoint is gone.', deletedSchema, { id: examples.webhook.id, deleted: true }),
    204: { description: 'The endpoint is gone.' },
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
