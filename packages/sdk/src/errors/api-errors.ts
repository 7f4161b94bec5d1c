import type { ErrorCode, ErrorDetails, OpenEnum } from '@formwire/contract'
import { type ApiErrorFacts, FormwireError, guardOf } from './formwire-error.ts'

/** HTTP error response of the service or of a proxy. Each documented code has a subclass. */
export class ApiError<Facts extends ApiErrorFacts = ApiErrorFacts> extends FormwireError<Facts> {
  static override readonly kind: string = 'ApiError'

  /** HTTP status. */
  declare readonly status: number
  /** Error code of the service. Later versions may add codes. Branch on this, not on the message. */
  declare readonly code: OpenEnum<ErrorCode>
  /** Message of the service, or a replacement if there is none. `message` begins with the request. */
  declare readonly reason: string
  /** Details, such as `details.field`: the invalid parameter or field. */
  declare readonly details: ErrorDetails | undefined
  /** `X-Request-Id` of the response, if present. Include it in support requests. */
  declare readonly requestId: string | undefined
  /** Headers of the response, without `set-cookie`. */
  declare readonly headers: Headers
  /** `false` if the body was not the error envelope of the service, for example an HTML page of a proxy. */
  declare readonly envelope: boolean

  constructor(facts: Facts, options?: { cause?: unknown }) {
    const where = facts.method ? `${facts.method} ${facts.path} returned ` : ''
    const tail = facts.requestId ? ` Request id: ${facts.requestId}.` : ''
    super(`${where}${facts.status} ${facts.code}: ${facts.reason}${tail}`, facts, options)
  }
}

/** Whether a value is an {@link ApiError}, from any copy of the package. @function */
export const isApiError = /* @__PURE__ */ guardOf<ApiError>(ApiError)

/** 400 `bad_request`: the request is malformed (ERR-01). */
export class BadRequestError extends ApiError {
  static override readonly kind: string = 'BadRequestError'
  declare readonly name: 'BadRequestError'
}

/** Whether a value is a {@link BadRequestError}, from any copy of the package. @function */
export const isBadRequestError = /* @__PURE__ */ guardOf(BadRequestError)

/** 401 `unauthorized`: the key is missing, wrong or revoked (AUTH-01). Do not retry. */
export class UnauthorizedError extends ApiError {
  static override readonly kind: string = 'UnauthorizedError'
  declare readonly name: 'UnauthorizedError'
}

/** Whether a value is a {@link UnauthorizedError}, from any copy of the package. @function */
export const isUnauthorizedError = /* @__PURE__ */ guardOf(UnauthorizedError)

/** 403 `forbidden`: the key's scope, its user's role or the plan does not allow the action (AUTH-03, AUTH-04, AUTH-11). */
export class ForbiddenError extends ApiError {
  static override readonly kind: string = 'ForbiddenError'
  declare readonly name: 'ForbiddenError'
}

/** Whether a value is a {@link ForbiddenError}, from any copy of the package. @function */
export const isForbiddenError = /* @__PURE__ */ guardOf(ForbiddenError)

/** 404 `not_found`: the object does not exist or belongs to another workspace. The service does not distinguish them (AUTH-12). */
export class NotFoundError extends ApiError {
  static override readonly kind: string = 'NotFoundError'
  declare readonly name: 'NotFoundError'
}

/** Whether a value is a {@link NotFoundError}, from any copy of the package. @function */
export const isNotFoundError = /* @__PURE__ */ guardOf(NotFoundError)

/** 422 `validation_failed`: a parameter or a body field is invalid (ERR-03). */
export class ValidationError extends ApiError {
  static override readonly kind: string = 'ValidationError'
  declare readonly name: 'ValidationError'

  /** The invalid parameter or field, if the service names it. */
  get field(): string | undefined {
    return this.details?.field
  }
}

/** Whether a value is a {@link ValidationError}, from any copy of the package. @function */
export const isValidationError = /* @__PURE__ */ guardOf(ValidationError)

/**
 * 429 `rate_limited` without a retry: none is left, or `Retry-After` exceeds `totalTimeoutMs` (RATE-01, ERR-05). If `attempts` is 0,
 * nothing was sent because of an earlier 429 for the same key.
 */
export class RateLimitError extends ApiError<ApiErrorFacts & { retryAfterMs: number }> {
  static override readonly kind: string = 'RateLimitError'
  declare readonly name: 'RateLimitError'

  /** Milliseconds to wait before the next request. */
  declare readonly retryAfterMs: number
}

/** Whether a value is a {@link RateLimitError}, from any copy of the package. @function */
export const isRateLimitError = /* @__PURE__ */ guardOf(RateLimitError)

/** 500 `server_error` or any other 5xx, including those of a proxy (ERR-04). */
export class ServerError extends ApiError {
  static override readonly kind: string = 'ServerError'
  declare readonly name: 'ServerError'
}

/** Whether a value is a {@link ServerError}, from any copy of the package. @function */
export const isServerError = /* @__PURE__ */ guardOf(ServerError)
