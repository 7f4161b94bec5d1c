import {
  isApiError,
  isConnectionError,
  isDecodeError,
  isNotFoundError,
  isPaginationError,
  isRateLimitError,
  isTimeoutError,
} from '@formwire/sdk'
import { StoreError } from '../errors.ts'

/** Whether the service reports that something does not exist. The 404 of a proxy has no envelope. */
export function isGone(error: unknown): boolean {
  return isNotFoundError(error) && error.envelope
}

/** Whether a later attempt may succeed: the network, a proxy, the service or the database is unavailable or limits requests. */
export function isPassing(error: unknown): boolean {
  if (error instanceof StoreError) return error.isPassing
  if (isConnectionError(error) || isTimeoutError(error) || isDecodeError(error) || isPaginationError(error))
    return true
  // A 404 without the envelope of the service comes from a proxy.
  if (isNotFoundError(error)) return !error.envelope
  return isApiError(error) && (error.status >= 500 || error.status === 429 || error.status === 408)
}

/** Returns the error code of the service, or the name of an error without one, such as `TimeoutError`. */
export function failureCode(error: unknown): string {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown }
  return String(typeof code === 'string' ? code : name)
}

/** Whether the service failed for one form, so that others may work. */
export function isFormFailure(error: unknown): boolean {
  return (
    isPassing(error) &&
    !(error instanceof StoreError) &&
    !isConnectionError(error) &&
    !isRateLimitError(error)
  )
}
