import { isForeignPage } from '@formwire/internal/foreign-page'
import { isApiError } from './api-errors.ts'
import { isCheckpointError, isConnectionError, isDecodeError, isTimeoutError } from './client-errors.ts'

/**
 * Whether a later attempt may succeed: the network, a proxy, the service or the checkpoint store is unavailable, or the rate limit is
 * reached. Polls go on after such an error. A response without the error envelope of the service is an outage whatever its status, and
 * so is a success that is not the documented JSON: a proxy has sent it. A 401 with `WWW-Authenticate: Bearer` is none.
 *
 * @example
 * if (isOutage(error)) await tryAgainLater()
 * else throw error
 */
export function isOutage(error: unknown): boolean {
  if (isConnectionError(error) || isTimeoutError(error) || isDecodeError(error)) return true
  if (isCheckpointError(error)) return error.reason === 'unavailable'
  if (!isApiError(error)) return false
  return error.status >= 500 || error.status === 429 || error.status === 408 || isForeignPage(error)
}
