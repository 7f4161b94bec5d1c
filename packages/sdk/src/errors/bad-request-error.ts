import { ApiError } from './api-error.ts'
import { hasKind } from './formwire-error.ts'

/** 400 `bad_request`: the request is malformed (ERR-01). */
export class BadRequestError extends ApiError {
  static override readonly kind: string = 'BadRequestError'
  declare readonly name: 'BadRequestError'
}

/** Whether a value is a {@link BadRequestError}, from any copy of the package. */
export function isBadRequestError(value: unknown): value is BadRequestError {
  return hasKind(value, BadRequestError.kind)
}
