import { FormwireError, hasKind } from './formwire-error.ts'

/**
 * The response to a `POST` was lost. The service may have processed it, so the SDK does not retry. The message explains how to find
 * out. `cause` is the underlying error.
 */
export class OutcomeUnknownError extends FormwireError {
  static override readonly kind: string = 'OutcomeUnknownError'
  declare readonly name: 'OutcomeUnknownError'
}

/** Whether a value is an {@link OutcomeUnknownError}, from any copy of the package. */
export function isOutcomeUnknownError(value: unknown): value is OutcomeUnknownError {
  return hasKind(value, OutcomeUnknownError.kind)
}
