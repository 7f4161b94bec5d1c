import { FormwireError, hasKind, type RequestFacts } from './formwire-error.ts'

/** A checkpoint cannot be read, saved or locked: unknown version, damaged state, too many ids at one instant, store failure. */
export class CheckpointError extends FormwireError<
  RequestFacts & { reason?: 'unavailable' | 'locked' | undefined; holder?: string }
> {
  static override readonly kind: string = 'CheckpointError'
  declare readonly name: 'CheckpointError'

  /**
   * `unavailable`: the store is unreachable; a poll waits and retries. `locked`: another poller uses the checkpoint. Otherwise
   * `undefined`: a retry fails as well.
   */
  declare readonly reason: 'unavailable' | 'locked' | undefined

  /** Who uses a locked checkpoint, such as `process 42 on host`, if that is known. */
  declare readonly holder: string | undefined
}

/** Whether a value is a {@link CheckpointError}, from any copy of the package. */
export function isCheckpointError(value: unknown): value is CheckpointError {
  return hasKind(value, CheckpointError.kind)
}
