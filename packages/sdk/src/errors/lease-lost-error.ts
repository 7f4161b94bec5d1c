import { FormwireError, hasKind } from './formwire-error.ts'

/** Another poller took over this checkpoint: the state was not saved. */
export class LeaseLostError extends FormwireError {
  static override readonly kind: string = 'LeaseLostError'
}

/** Whether a value is a {@link LeaseLostError}, from any copy of the package. */
export function isLeaseLostError(value: unknown): value is LeaseLostError {
  return hasKind(value, LeaseLostError.kind)
}
