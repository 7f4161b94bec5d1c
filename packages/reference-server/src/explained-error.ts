import { errorJson } from '@formwire/internal/error-class'
import { helpUrlOf } from '@formwire/internal/help-page'

/** An error whose class has a section on the help page. */
export class ExplainedError extends Error {
  /** URL of the page that explains the error. */
  get helpUrl(): string {
    return helpUrlOf(this.name)
  }

  /** For a log: the message too. */
  toJSON(): Record<string, unknown> {
    return errorJson(this)
  }
}
