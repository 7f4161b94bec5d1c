import { ApiError } from './api-error.ts'
import { hasKind } from './formwire-error.ts'

/** 404 `not_found`: no such thing, or it belongs to another workspace; the two cannot be told apart (AUTH-12). */
export class NotFoundError extends ApiError {
  static override readonly kind: string = 'NotFoundError'
}

/** Whether a value is a {@link NotFoundError}, from any copy of the package. */
export function isNotFoundError(value: unknown): value is NotFoundError {
  return hasKind(value, NotFoundError.kind)
}
