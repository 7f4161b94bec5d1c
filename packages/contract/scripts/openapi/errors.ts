import type { ZodOpenApiResponseObject } from 'zod-openapi'
import type { ErrorCode, ErrorEnvelope } from '../../src/index.ts'
import { errorEnvelopeSchema } from '../../src/schemas.ts'
import { pascalCase } from './about.ts'

interface DocumentedError {
  description: string
  example: ErrorEnvelope
  headers?: ZodOpenApiResponseObject['headers']
}

const requestId = {
  'X-Request-Id': {
    description: 'Id of the request, if the deployment sends one.',
    schema: { type: 'string' as const },
  },
}

const retryAfter = {
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    required: true,
    schema: { type: 'integer' as const, minimum: 0, examples: [60] },
  },
}

const authenticate = {
  'WWW-Authenticate': {
    description: 'The authentication scheme.',
    required: true,
    schema: { type: 'string' as const, examples: ['Bearer'] },
  },
}

const example = (code: AnyErrorCode, message: string, field?: string): ErrorEnvelope => ({
  error: { code, message, ...(field === undefined ? {} : { details: { field } }) },
})

/** The documented codes, and the code of the 409 that some deployments return for a status they do not accept. */
type AnyErrorCode = ErrorCode | 'conflict'

const ERRORS: Record<AnyErrorCode, DocumentedError> = {
  bad_request: {
    description:
      'The request is malformed: invalid JSON, an unsupported content type or a body that is too large.',
    example: example('bad_request', 'The body is not valid JSON.'),
  },
  unauthorized: {
    description: 'The key is missing, malformed, wrong or revoked.',
    example: example('unauthorized', 'A valid API key is required.'),
    headers: authenticate,
  },
  forbidden: {
    description:
      "The key is read-only, or the user's role or the workspace's plan does not allow the request.",
    example: example('forbidden', 'This key is read-only.'),
  },
  not_found: {
    description: "The endpoint does not exist, or the key's workspace has no object with this id.",
    example: example('not_found', 'Not found.'),
  },
  validation_failed: {
    description: 'A query parameter or body field is invalid. `details.field` names it, if there is one.',
    example: example(
      'validation_failed',
      '"per_page" must be an integer from 1 to 100, got "0".',
      'per_page',
    ),
  },
  conflict: {
    description: 'The form has not been published. Some deployments return 409 instead of 422.',
    example: example('conflict', '"status" is accepted only for a form that has been published.', 'status'),
  },
  rate_limited: {
    description:
      'More than 120 requests per minute with this key, or more than 30 failed authentications per minute from this IP address.',
    example: example('rate_limited', 'Too many requests. Try again in 60 seconds.'),
    headers: retryAfter,
  },
  server_error: {
    description: 'An error inside the service. No details are exposed.',
    example: example('server_error', 'Something went wrong.'),
  },
}

/** The response for each error code. The document defines each once and refers to it. */
export const errorResponses = Object.fromEntries(
  Object.entries(ERRORS).map(([code, { description, example: value, headers = {} }]) => [
    code,
    {
      id: pascalCase(code),
      description,
      headers: { ...headers, ...requestId },
      content: { 'application/json': { schema: errorEnvelopeSchema, example: value } },
    } satisfies ZodOpenApiResponseObject,
  ]),
) as unknown as Record<AnyErrorCode, ZodOpenApiResponseObject>
