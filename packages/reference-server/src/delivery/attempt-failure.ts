import type { AttemptError } from '../domain/delivery.ts'

/** Why an attempt ends without a response, by the class that the log shows. */
export class AttemptFailure extends Error {
  override readonly name = 'AttemptFailure'
  readonly failure: AttemptError

  constructor(failure: AttemptError, message: string, cause?: unknown) {
    super(message, { cause })
    this.failure = failure
  }
}
