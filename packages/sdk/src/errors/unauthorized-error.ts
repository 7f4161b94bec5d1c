import { ApiError } from './api-error.ts'
import { hasKind } from './formwire-error.ts'

/** 401 `unauthorized`: the key is missing, wrong or revoked (AUTH-01). Do not retry. */
export class UnauthorizedError extends ApiError {
  static override readonly kind: string = 'UnauthorizedError'
  declare readonly name: 'UnauthorizedError'
}

/** Whether a value is a {@link UnauthorizedError}, from any copy of the package. */
export function isUnauthorizedError(value: unknown): value is UnauthorizedError {
  return hasKind(value, UnauthorizedError.kind)
}
