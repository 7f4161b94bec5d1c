import { FormwireError, hasKind } from './formwire-error.ts'

/** A checkpoint cannot be read, written or kept: an unknown version, a damaged file, too many ids at one instant. */
export class CheckpointError extends FormwireError {
  static override readonly kind: string = 'CheckpointError'
}

/** Whether a value is a {@link CheckpointError}, from any copy of the package. */
export function isCheckpointError(value: unknown): value is CheckpointError {
  return hasKind(value, CheckpointError.kind)
}
