import { FormwireError, hasKind, type RequestFacts } from './formwire-error.ts'

/** Invalid use of the SDK, such as a missing key, a base URL that is not https, or an empty id. Nothing was sent. */
export class UsageError extends FormwireError<RequestFacts & { idAfter?: string; problem?: string }> {
  static override readonly kind: string = 'UsageError'
  declare readonly name: 'UsageError'

  /** For an invalid id, the path before it, such as `/forms/`. */
  declare readonly idAfter: string | undefined
  /** For an invalid id, what is wrong with it, as in "must be valid Unicode, …". */
  declare readonly problem: string | undefined
}

/** Whether a value is a {@link UsageError}, from any copy of the package. */
export function isUsageError(value: unknown): value is UsageError {
  return hasKind(value, UsageError.kind)
}
