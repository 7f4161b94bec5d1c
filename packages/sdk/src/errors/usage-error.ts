import { FormwireError, hasKind } from './formwire-error.ts'

/** Invalid use of the SDK, such as a missing key, a base URL that is not https, or an empty id. Nothing was sent. */
export class UsageError extends FormwireError {
  static override readonly kind: string = 'UsageError'
  declare readonly name: 'UsageError'
}

/** Whether a value is a {@link UsageError}, from any copy of the package. */
export function isUsageError(value: unknown): value is UsageError {
  return hasKind(value, UsageError.kind)
}
