import { helpUrlOf } from '@formwire/internal/help-page'

/** Codes of {@link PullError}. */
export type PullErrorCode = 'invalid_response' | 'no_forms' | 'pull_option'

/** A service that cannot be pulled, or an option that is invalid. The message never contains a value of a response. */
export class PullError extends Error {
  override readonly name = 'PullError'
  readonly code: PullErrorCode

  constructor(code: PullErrorCode, message: string) {
    super(message)
    this.code = code
  }

  /** URL of the page that explains the error. */
  get helpUrl(): string {
    return helpUrlOf(this.name)
  }
}
