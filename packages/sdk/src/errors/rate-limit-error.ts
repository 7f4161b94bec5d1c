import { ApiError, type ApiErrorFacts } from './api-error.ts'
import { hasKind } from './formwire-error.ts'

/**
 * 429 `rate_limited`, and waiting was out of the question: no retry left, or `Retry-After` reaches past `totalTimeoutMs`
 * (RATE-01, ERR-05). With `attempts` 0 nothing was sent: an earlier 429 of the same key still holds it back.
 */
export class RateLimitError extends ApiError {
  static override readonly kind: string = 'RateLimitError'

  /** Milliseconds to wait before the next try. */
  declare readonly retryAfterMs: number

  constructor(facts: ApiErrorFacts & { retryAfterMs: number }, options?: { cause?: unknown }) {
    super(facts, options)
  }
}

/** Whether a value is a {@link RateLimitError}, from any copy of the package. */
export function isRateLimitError(value: unknown): value is RateLimitError {
  return hasKind(value, RateLimitError.kind)
}
