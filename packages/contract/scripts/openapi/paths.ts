import * as z from 'zod'
import type { ZodOpenApiResponsesObject } from 'zod-openapi'
import { ERROR_STATUS, type ErrorCode, FORM_STATUSES, LIMITS, RESPONSE_STATUSES } from '../../src/index.ts'
import * as api from '../../src/schemas.ts'
import { OPERATIONS } from './descriptions.ts'
import { errorResponses } from './errors.ts'
import * as examples from './examples.ts'
import { atLeastOne, idOf, json, oneOf, operationsOf, pathsOf, whole } from './operations.ts'

const item = (description: string, schema: z.ZodType, example: unknown) => ({
  description,
  content: json(api.itemEnvelope(schema), { data: example }),
})

const list = (description: string, schema: z.ZodType, example: unknown) => ({
  description,
  content: json(api.listEnvelope(schema), { data: [example], meta: { page: 1, per_page: 25, total: 1 } }),
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

const errors = (...codes: ErrorCode[]): ZodOpenApiResponsesObject =>
  Object.fromEntries(codes.map((code) => [ERROR_STATUS[code], errorResponses[code]]))

const operation = operationsOf({
  texts: OPERATIONS,
  inPaths: {
    'forms/{id}': z.string().length(LIMITS.formIdLength).meta({
      description: 'Id of the form, 12 characters.',
      example: examples.form.id,
    }),
    'responses/{response_id}': idOf('response', examples.response.id),
    'webhooks/{webhook_id}': idOf('endpoint', examples.webhook.id),
  },
  errors: (isOnObject, { body }) => ({
    ...errors(...ALWAYS),
    ...(isOnObject && errors('not_found')),
    // A deployment can reject a body with these instead of 400 (ERR-01).
    ...(body && { 413: errorResponses.bad_request, 415: errorResponses.bad_request }),
  }),
})
const key = operation('Key')
const forms = operation('Forms')
const responses = operation('Responses')
const webhooks = operation('Webhooks')

const pages = {
  page: whole('Page number, from 1. Default 1.', 1),
  per_page: whole('Items per page, 1 to 100. Default 25.', 25, atLeastOne.max(LIMITS.perPageMax)),
}
const ofStatus = oneOf(FORM_STATUSES, 'Returns only forms with this status.', 'published')
const ofResponseStatus = oneOf(
  RESPONSE_STATUSES,
  '`submitted` (default), or `in_progress` for saved drafts.',
  'submitted',
)
const since = z.string().optional().meta({
  description:
    'ISO 8601 date or date-time. Returns only responses submitted (drafts: last saved) at or after it. UTC unless it has a time zone.',
  example: '2026-11-21T09:30:00Z',
})

/** Every route of version 1. */
export const paths = pathsOf({
  'GET /me': key('getMe', { 200: item('The user, the workspace and the key.', api.meSchema, examples.me) }),
  'GET /forms': forms(
    'listForms',
    { 200: list('One page of forms.', api.formSchema, examples.form) },
    { query: { status: ofStatus, ...pages } },
  ),
  'GET /forms/{id}': forms('getForm', { 200: item('The form.', api.formSchema, examples.form) }),
  'PATCH /forms/{id}': forms(
    'updateForm',
    { 200: item('The updated form.', api.formSchema, examples.closedForm), 409: errorResponses.conflict },
    { body: { required: true, content: json(api.formUpdateSchema, { status: 'closed' }) } },
  ),
  'GET /forms/{id}/responses': responses(
    'listResponses',
    { 200: list('One page of responses.', api.responseSchema, examples.response) },
    { query: { status: ofResponseStatus, since, ...pages } },
  ),
  'GET /forms/{id}/responses/{response_id}': responses('getResponse', {
    200: item('The response.', api.responseSchema, examples.response),
  }),
  'DELETE /forms/{id}/responses/{response_id}': responses('deleteResponse', {
    200: item('The response was deleted.', api.deletedSchema, { id: examples.response.id, deleted: true }),
  }),
  'GET /forms/{id}/webhooks': webhooks(
    'listWebhooks',
    { 200: list('The endpoints.', api.webhookEndpointSchema, examples.webhook) },
    { query: pages },
  ),
  'POST /forms/{id}/webhooks': webhooks(
    'createWebhook',
    {
      201: item('The endpoint, with its secret.', api.createdWebhookEndpointSchema, examples.createdWebhook),
    },
    { body: { required: true, content: json(api.webhookCreateSchema, { url: examples.webhook.url }) } },
  ),
  'DELETE /forms/{id}/webhooks/{webhook_id}': webhooks('deleteWebhook', {
    200: item('The endpoint was deleted.', api.deletedSchema, { id: examples.webhook.id, deleted: true }),
    204: { description: 'The endpoint was deleted.' },
  }),
})
