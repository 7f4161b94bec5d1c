import type { ZodOpenApiResponseObject } from 'zod-openapi'
import type { ErrorCode, ErrorEnvelope } from '../../src/index.ts'
import { errorEnvelopeSchema } from '../../src/schemas.ts'

interface DocumentedError {
  description: string
  example: ErrorEnvelope
  headers?: ZodOpenApiResponseObject['headers']
}

const requestId = {
  'X-Request-Id': {
    description: 'Id of the request, where the deployment sends one.',
    schema: { type: 'string' as const },
  },
}

const retryAfter = {
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    required: true,
    schema: { type: 'integer' as const, minimum: 0, examples: [60] },
  },
}

const authenticate = {
  'WWW-Authenticate': {
    description: 'The scheme of the API.',
    required: true,
    schema: { type: 'string' as const, examples: ['Bearer'] },
  },
}

const example = (code: ErrorCode, message: string, field?: string): ErrorEnvelope => ({
  error: { code, message, ...(field === undefined ? {} : { details: { field } }) },
})

const ERRORS: Record<ErrorCode, DocumentedError> = {
  bad_request: {
    description:
      'The request cannot be read: malformed JSON, another content type, a body that is too large.',
    example: example('bad_request', 'The body is not valid JSON.'),
  },
  unauthorized: {
    description: 'The key is missing, malformed, wrong or revoked.',
    example: example('unauthorized', 'A valid API key is required.'),
    headers: authenticate,
  },
  forbidden: {
    description:
      "A read-only key on a write route, or the user's role or the workspace's plan does not allow it.",
    example: example('forbidden', 'This key is read-only.'),
  },
  not_found: {
    description: "No such endpoint, or nothing by this id in the key's workspace.",
    example: example('not_found', 'Not found.'),
  },
  validation_failed: {
    description:
      'A parameter or a member of the body does not hold; `details.field` names it when there is one.',
    example: example('validation_failed', 'per_page takes a whole number from 1 to 100.', 'per_page'),
  },
  rate_limited: {
    description: 'Over 120 requests a minute with this key, or 30 failed authentications from this address.',
    example: example('rate_limited', 'Too many requests. Try again in 60 seconds.'),
    headers: retryAfter,
  },
  server_error: {
    description: 'Something failed inside the service. Details are not exposed.',
    example: example('server_error', 'Something went wrong.'),
  },
}

const names: Record<ErrorCode, string> = {
  bad_request: 'BadRequest',
  unauthorized: 'Unauthorized',
  forbidden: 'Forbidden',
  not_found: 'NotFound',
  validation_failed: 'ValidationFailed',
  rate_limited: 'RateLimited',
  server_error: 'ServerError',
}

/** The answer of each documented error, by its code; the document names it once and refers to it. */
export const errorResponses = Object.fromEntries(
  Object.entries(ERRORS).map(([code, { description, example: value, headers = {} }]) => [
    code,
    {
      id: names[code as ErrorCode],
      description,
      headers: { ...headers, ...requestId },
      content: { 'application/json': { schema: errorEnvelopeSchema, example: value } },
    } satisfies ZodOpenApiResponseObject,
  ]),
) as unknown as Record<ErrorCode, ZodOpenApiResponseObject>
