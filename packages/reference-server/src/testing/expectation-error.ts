import { helpUrlOf } from '@formwire/internal/help-page'

/** An expectation was not met. The message contains the closest candidates and how they differ. */
export class ExpectationError extends Error {
  override readonly name = 'ExpectationError'

  /** URL of the page that explains the error. */
  get helpUrl(): string {
    return helpUrlOf(this.name)
  }
}
