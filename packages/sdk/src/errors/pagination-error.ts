import { FormwireError, hasKind } from './formwire-error.ts'

/** A list contradicts itself: it ignores `page`, or never ends. */
export class PaginationError extends FormwireError {
  static override readonly kind: string = 'PaginationError'
}

/** Whether a value is a {@link PaginationError}, from any copy of the package. */
export function isPaginationError(value: unknown): value is PaginationError {
  return hasKind(value, PaginationError.kind)
}
