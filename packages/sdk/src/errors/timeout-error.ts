import { FormwireError, hasKind, type RequestFacts } from './formwire-error.ts'

/** The response was not complete before the deadline of the attempt or of the call. */
export class TimeoutError extends FormwireError<
  RequestFacts & { timeoutMs: number; scope: 'attempt' | 'total' }
> {
  static override readonly kind: string = 'TimeoutError'
  declare readonly name: 'TimeoutError'

  /** The limit that was exceeded, in milliseconds. */
  declare readonly timeoutMs: number
  /** `attempt` for `timeoutMs`, `total` for `totalTimeoutMs`. */
  declare readonly scope: 'attempt' | 'total'
}

/** Whether a value is a {@link TimeoutError}, from any copy of the package. */
export function isTimeoutError(value: unknown): value is TimeoutError {
  return hasKind(value, TimeoutError.kind)
}
