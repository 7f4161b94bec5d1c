/** An expectation was not met. The message contains the closest candidates and how they differ. */
export class ExpectationError extends Error {
  override readonly name = 'ExpectationError'
}
