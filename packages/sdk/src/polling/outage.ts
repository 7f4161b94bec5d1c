import { isApiError } from '../errors/api-error.ts'
import { isConnectionError } from '../errors/connection-error.ts'
import { isDecodeError } from '../errors/decode-error.ts'
import type { FormwireError } from '../errors/formwire-error.ts'
import { isTimeoutError } from '../errors/timeout-error.ts'

/** Whether waiting can help: the network, a proxy or the service is down or asks to wait. Refusals of the service stay. */
export function isPassing(error: FormwireError): boolean {
  if (isConnectionError(error) || isTimeoutError(error) || isDecodeError(error)) return true
  return isApiError(error) && (error.status >= 500 || error.status === 429 || error.status === 408)
}
