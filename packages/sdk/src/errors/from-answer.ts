import { ERROR_STATUS, type ErrorCode, type ErrorDetails } from '@formwire/contract'
import type { TransportResponse } from '../http/transport.ts'
import { ApiError, type ApiErrorFacts } from './api-error.ts'
import { BadRequestError } from './bad-request-error.ts'
import { ForbiddenError } from './forbidden-error.ts'
import type { RequestFacts } from './formwire-error.ts'
import { NotFoundError } from './not-found-error.ts'
import { RateLimitError } from './rate-limit-error.ts'
import { ServerError } from './server-error.ts'
import { UnauthorizedError } from './unauthorized-error.ts'
import { ValidationError } from './validation-error.ts'

const CLASS_OF_CODE: Record<Exclude<ErrorCode, 'rate_limited'>, typeof ApiError> = {
  bad_request: BadRequestError,
  unauthorized: UnauthorizedError,
  forbidden: ForbiddenError,
  not_found: NotFoundError,
  validation_failed: ValidationError,
  server_error: ServerError,
}

/**
 * The error of an answer: its class follows the code, else the status; a proxy's page gets the class of its status.
 *
 * @param retryAfterMs milliseconds that a 429 asks to wait.
 */
export function errorFromAnswer(
  answer: TransportResponse,
  request: RequestFacts,
  retryAfterMs: number,
  redact: <Value>(value: Value) => Value,
): ApiError {
  const envelope = readEnvelope(answer.body)
  const code = envelope?.code ?? codeOfStatus(answer.status)
  const facts: ApiErrorFacts = {
    ...request,
    status: answer.status,
    ...redact({
      code,
      reason: envelope?.message ?? 'check baseUrl and proxies.',
      details: envelope?.details,
      requestId: answer.headers.get('x-request-id') ?? undefined,
    }),
    headers: redactHeaders(answer.headers, redact),
    envelope: envelope !== undefined,
  }
  if (code === 'rate_limited' || answer.status === 429) {
    return new RateLimitError({ ...facts, retryAfterMs })
  }
  const known = Object.hasOwn(CLASS_OF_CODE, code) ? code : codeOfStatus(answer.status)
  const Class =
    CLASS_OF_CODE[known as keyof typeof CLASS_OF_CODE] ?? (answer.status >= 500 ? ServerError : ApiError)
  return new Class(facts)
}

function readEnvelope(
  body: string,
): { code: string; message: string; details: ErrorDetails | undefined } | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return undefined
  }
  const error = (parsed as { error?: unknown } | null)?.error
  if (typeof error !== 'object' || error === null) return undefined
  const { code, message, details } = error as Record<string, unknown>
  if (typeof code !== 'string') return undefined
  return {
    code,
    message: typeof message === 'string' ? message : 'no message',
    details: typeof details === 'object' && details !== null ? (details as ErrorDetails) : undefined,
  }
}

/** The documented code of a status; for others `http_` and the status, which the service itself never sends. */
function codeOfStatus(status: number): string {
  const documented = Object.entries(ERROR_STATUS).find((entry) => entry[1] === status)
  return documented?.[0] ?? `http_${status}`
}

function redactHeaders(source: Iterable<[string, string]>, redact: <Value>(value: Value) => Value): Headers {
  const headers = new Headers()
  for (const [name, value] of source) {
    if (name.toLowerCase() !== 'set-cookie') headers.append(name, redact(value))
  }
  return headers
}
