import { ApiError } from './api-error.ts'
import { hasKind } from './formwire-error.ts'

/** 500 `server_error` or any other 5xx, including those of a proxy (ERR-04). */
export class ServerError extends ApiError {
  static override readonly kind: string = 'ServerError'
  declare readonly name: 'ServerError'
}

/** Whether a value is a {@link ServerError}, from any copy of the package. */
export function isServerError(value: unknown): value is ServerError {
  return hasKind(value, ServerError.kind)
}
