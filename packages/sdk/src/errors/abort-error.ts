import { FormwireError, hasKind } from './formwire-error.ts'

/** The caller's `signal` aborted the call; `cause` is the signal's reason. A write that was under way may have been carried out. */
export class AbortError extends FormwireError {
  static override readonly kind: string = 'AbortError'
}

/** Whether a value is an {@link AbortError}, from any copy of the package. */
export function isAbortError(value: unknown): value is AbortError {
  return hasKind(value, AbortError.kind)
}
