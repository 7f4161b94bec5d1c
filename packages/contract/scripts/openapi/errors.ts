import type { ZodOpenApiResponseObject } from 'zod-openapi'
import type { ErrorCode } from '../../src/index.ts'
import { errorEnvelopeSchema } from '../../src/schemas.ts'
import { pascalCase } from './about.ts'
import { json } from './operations.ts'

/** The documented codes, and the code of the 409 that some deployments return for a status they do not accept. */
type AnyErrorCode = ErrorCode | 'conflict'

/** What each code means, with the message of its example and the field that it names. */
const ERRORS: Record<AnyErrorCode, readonly [description: string, message: string, field?: string]> = {
  bad_request: [
    'The request is malformed: invalid JSON, an unsupported content type or a body that is too large.',
    'The body is not valid JSON.',
  ],
  unauthorized: ['The key is missing, malformed, wrong or revoked.', 'A valid API key is required.'],
  forbidden: [
    "The key is read-only, or the user's role or the workspace's plan does not allow the request.",
    'This key is read-only.',
  ],
  not_found: [
    "The endpoint does not exist, or the key's workspace has no object with this id.",
    'Not found.',
  ],
  validation_failed: [
    'A query parameter or body field is invalid. `details.field` names it, if there is one.',
    '"per_page" must be an integer from 1 to 100, got "0".',
    'per_page',
  ],
  conflict: [
    'The form has not been published. Some deployments return 409 instead of 422.',
    '"status" is accepted only for a form that has been published.',
    'status',
  ],
  rate_limited: [
    'More than 120 requests per minute with this key, or more than 30 failed authentications per minute from this IP address.',
    'Too many requests. Try again in 60 seconds.',
  ],
  server_error: ['An error inside the service. No details are exposed.', 'Something went wrong.'],
}

const HEADERS: Readonly<Record<string, ZodOpenApiResponseObject['headers']>> = {
  unauthorized: {
    'WWW-Authenticate': {
      description: 'The authentication scheme.',
      required: true,
      schema: { type: 'string', examples: ['Bearer'] },
    },
  },
  rate_limited: {
    'Retry-After': {
      description: 'Seconds to wait before the next request.',
      required: true,
      schema: { type: 'integer', minimum: 0, examples: [60] },
    },
  },
}
const REQUEST_ID: ZodOpenApiResponseObject['headers'] = {
  'X-Request-Id': {
    description: 'Id of the request, if the deployment sends one.',
    schema: { type: 'string' },
  },
}

/** The response for each error code. The document defines each once and refers to it. */
export const errorResponses = Object.fromEntries(
  Object.entries(ERRORS).map(([code, [description, message, field]]) => [
    code,
    {
      id: pascalCase(code),
      description,
      headers: { ...HEADERS[code], ...REQUEST_ID },
      content: json(errorEnvelopeSchema, { error: { code, message, ...(field && { details: { field } }) } }),
    } satisfies ZodOpenApiResponseObject,
  ]),
) as unknown as Record<AnyErrorCode, ZodOpenApiResponseObject>
