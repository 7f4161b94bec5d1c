import { FormwireError, hasKind, type RequestFacts } from './formwire-error.ts'

/** A checkpoint cannot be read, saved or locked: unknown version, damaged state, too many ids at one instant, store failure. */
export class CheckpointError extends FormwireError {
  static override readonly kind: string = 'CheckpointError'
  declare readonly name: 'CheckpointError'

  /**
   * `unavailable`: the store is unreachable; a poll waits and retries. `locked`: another poller uses the checkpoint. Otherwise
   * `undefined`: a retry fails as well.
   */
  declare readonly reason: 'unavailable' | 'locked' | undefined

  constructor(
    message: string,
    facts: RequestFacts & { reason?: 'unavailable' | 'locked' | undefined } = {},
    options?: { cause?: unknown },
  ) {
    super(message, facts, options)
  }
}

/** Whether a value is a {@link CheckpointError}, from any copy of the package. */
export function isCheckpointError(value: unknown): value is CheckpointError {
  return hasKind(value, CheckpointError.kind)
}
