import { FormwireError, hasKind } from './formwire-error.ts'

/**
 * A `POST` was sent and its answer was lost: it may have been carried out, so it is not sent again. The message says how to
 * find out; `cause` is what happened to the answer.
 */
export class OutcomeUnknownError extends FormwireError {
  static override readonly kind: string = 'OutcomeUnknownError'
}

/** Whether a value is an {@link OutcomeUnknownError}, from any copy of the package. */
export function isOutcomeUnknownError(value: unknown): value is OutcomeUnknownError {
  return hasKind(value, OutcomeUnknownError.kind)
}
