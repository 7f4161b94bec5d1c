import { ERROR_STATUS, type ErrorCode, type ErrorDetails } from '@formwire/contract'
import { foreignPageText, isForeignPage } from '@formwire/internal/foreign-page'
import { isObjectOrArray } from '@formwire/internal/json'
import {
  ApiError,
  BadRequestError,
  ForbiddenError,
  NotFoundError,
  RateLimitError,
  ServerError,
  UnauthorizedError,
  ValidationError,
} from '../errors/api-errors.ts'
import type { ApiErrorFacts, RequestFacts } from '../errors/formwire-error.ts'
import { parseJson } from '../json.ts'
import type { TransportResponse } from './transport.ts'

const CLASS_OF_CODE: Record<Exclude<ErrorCode, 'rate_limited'>, typeof ApiError> = {
  bad_request: BadRequestError,
  unauthorized: UnauthorizedError,
  forbidden: ForbiddenError,
  not_found: NotFoundError,
  validation_failed: ValidationError,
  server_error: ServerError,
}

/**
 * Returns the error of an HTTP error response. Its class depends on the code, or on the status if the code is unknown or missing.
 *
 * @param retryAfterMs milliseconds to wait after a 429.
 */
export function errorFromResponse(
  response: TransportResponse,
  request: RequestFacts,
  retryAfterMs: number,
  redact: <Value>(value: Value) => Value,
): ApiError {
  const envelope = readEnvelope(response.body)
  const code = envelope?.code ?? codeOfStatus(response.status)
  const facts: ApiErrorFacts = {
    ...request,
    status: response.status,
    ...redact({
      code,
      reason: envelope?.message ?? reasonWithoutEnvelope(response),
      details: envelope?.details,
      requestId: response.headers.get('x-request-id') ?? undefined,
    }),
    headers: redactHeaders(response.headers, redact),
    envelope: envelope !== undefined,
  }
  if (code === 'rate_limited' || response.status === 429) {
    return new RateLimitError({ ...facts, retryAfterMs })
  }
  const known = Object.hasOwn(CLASS_OF_CODE, code) ? code : codeOfStatus(response.status)
  const Class =
    CLASS_OF_CODE[known as keyof typeof CLASS_OF_CODE] ?? (response.status >= 500 ? ServerError : ApiError)
  return new Class(facts)
}

function reasonWithoutEnvelope({ status, headers }: TransportResponse): string {
  const page = { status, headers, envelope: false }
  if (isForeignPage(page)) return `${foreignPageText(page)}; check baseUrl and proxies.`
  return status === 429 ? 'Too many requests.' : 'The key is missing, wrong or revoked.'
}

function readEnvelope(
  body: string,
): { code: string; message: string; details: ErrorDetails | undefined } | undefined {
  const error = (parseJson(body, 0) as { error?: unknown } | null | undefined)?.error
  if (!isObjectOrArray(error)) return undefined
  const { code, message, details } = error as Record<string, unknown>
  if (typeof code !== 'string') return undefined
  return {
    code,
    message: typeof message === 'string' ? message : 'no message',
    details: isObjectOrArray(details) ? (details as ErrorDetails) : undefined,
  }
}

/** Returns the documented code of a status, otherwise `http_<status>`, which the service never sends. */
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
