import { ApiError } from './api-error.ts'
import { hasKind } from './formwire-error.ts'

/** 404 `not_found`: the object does not exist or belongs to another workspace. The service does not distinguish them (AUTH-12). */
export class NotFoundError extends ApiError {
  static override readonly kind: string = 'NotFoundError'
  declare readonly name: 'NotFoundError'
}

/** Whether a value is a {@link NotFoundError}, from any copy of the package. */
export function isNotFoundError(value: unknown): value is NotFoundError {
  return hasKind(value, NotFoundError.kind)
}
