import { FormwireError, hasKind } from './formwire-error.ts'

/** Another poller took over the checkpoint, so the state was not saved. */
export class LeaseLostError extends FormwireError {
  static override readonly kind: string = 'LeaseLostError'
  declare readonly name: 'LeaseLostError'
}

/** Whether a value is a {@link LeaseLostError}, from any copy of the package. */
export function isLeaseLostError(value: unknown): value is LeaseLostError {
  return hasKind(value, LeaseLostError.kind)
}
