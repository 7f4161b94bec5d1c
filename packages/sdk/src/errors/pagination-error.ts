import { FormwireError, hasKind } from './formwire-error.ts'

/** A list ignores `page` or never ends, or a page has no next page. */
export class PaginationError extends FormwireError {
  static override readonly kind: string = 'PaginationError'
  declare readonly name: 'PaginationError'
}

/** Whether a value is a {@link PaginationError}, from any copy of the package. */
export function isPaginationError(value: unknown): value is PaginationError {
  return hasKind(value, PaginationError.kind)
}
