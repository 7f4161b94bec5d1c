import { ApiError, type ApiErrorFacts } from './api-error.ts'
import { hasKind } from './formwire-error.ts'

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

/** Whether a value is a {@link RateLimitError}, from any copy of the package. */
export function isRateLimitError(value: unknown): value is RateLimitError {
  return hasKind(value, RateLimitError.kind)
}
