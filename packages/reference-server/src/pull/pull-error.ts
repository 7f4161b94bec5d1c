import { recognizeCopies } from '@formwire/internal/error-class'
import { ExplainedError } from '../explained-error.ts'

/** Codes of {@link PullError}. */
export type PullErrorCode = 'invalid_response' | 'no_forms' | 'pull_option'

/** A service that cannot be pulled, or an option that is invalid. The message never contains a value of a response. */
export class PullError extends ExplainedError {
  override readonly name = 'PullError'
  readonly code: PullErrorCode

  constructor(code: PullErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
recognizeCopies(PullError, 'PullError')
