import { ApiError } from './api-error.ts'
import { hasKind } from './formwire-error.ts'

/** 403 `forbidden`: the key's scope, its user's role or the plan does not allow the action (AUTH-03, AUTH-04, AUTH-11). */
export class ForbiddenError extends ApiError {
  static override readonly kind: string = 'ForbiddenError'
  declare readonly name: 'ForbiddenError'
}

/** Whether a value is a {@link ForbiddenError}, from any copy of the package. */
export function isForbiddenError(value: unknown): value is ForbiddenError {
  return hasKind(value, ForbiddenError.kind)
}
