import { FormwireError, hasKind } from './formwire-error.ts'

/** The caller's `signal` aborted the call. `cause` is the reason of the signal. A write in flight may have taken effect. */
export class AbortError extends FormwireError {
  static override readonly kind: string = 'AbortError'
  declare readonly name: 'AbortError'
}

/** Whether a value is an {@link AbortError}, from any copy of the package. */
export function isAbortError(value: unknown): value is AbortError {
  return hasKind(value, AbortError.kind)
}
