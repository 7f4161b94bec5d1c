import { FormwireError, hasKind, type RequestFacts } from './formwire-error.ts'

/** The answer was not whole in time. */
export class TimeoutError extends FormwireError {
  static override readonly kind: string = 'TimeoutError'

  /** The limit that ran out, in milliseconds. */
  declare readonly timeoutMs: number
  /** `attempt` for `timeoutMs`, `total` for `totalTimeoutMs`. */
  declare readonly scope: 'attempt' | 'total'

  constructor(
    message: string,
    facts: RequestFacts & { timeoutMs: number; scope: 'attempt' | 'total' },
    options?: { cause?: unknown },
  ) {
    super(message, facts, options)
  }
}

/** Whether a value is a {@link TimeoutError}, from any copy of the package. */
export function isTimeoutError(value: unknown): value is TimeoutError {
  return hasKind(value, TimeoutError.kind)
}
