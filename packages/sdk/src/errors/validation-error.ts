import { ApiError } from './api-error.ts'
import { hasKind } from './formwire-error.ts'

/** 422 `validation_failed`: a parameter or a body field is invalid (ERR-03). */
export class ValidationError extends ApiError {
  static override readonly kind: string = 'ValidationError'
  declare readonly name: 'ValidationError'

  /** The invalid parameter or field, if the service names it. */
  get field(): string | undefined {
    return this.details?.field
  }
}

/** Whether a value is a {@link ValidationError}, from any copy of the package. */
export function isValidationError(value: unknown): value is ValidationError {
  return hasKind(value, ValidationError.kind)
}
