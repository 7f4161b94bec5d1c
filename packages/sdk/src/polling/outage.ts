import { isApiError } from '../errors/api-errors.ts'
import {
  isCheckpointError,
  isConnectionError,
  isDecodeError,
  isTimeoutError,
} from '../errors/client-errors.ts'
import type { FormwireError } from '../errors/formwire-error.ts'

/** Whether a later attempt may succeed: the network, a proxy, the service or the checkpoint store is unavailable or rate-limited. */
export function isPassing(error: FormwireError): boolean {
  if (isConnectionError(error) || isTimeoutError(error) || isDecodeError(error)) return true
  if (isCheckpointError(error)) return error.reason === 'unavailable'
  return isApiError(error) && (error.status >= 500 || error.status === 429 || error.status === 408)
}
