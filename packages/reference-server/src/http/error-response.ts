import type { ErrorDetails } from '@formwire/contract'
import { ServiceError } from '../domain/service-error.ts'
import type { Settings } from '../settings.ts'
import { jsonText } from './json-response.ts'
import type { OutgoingMessage } from './message.ts'

/** Returns an error envelope (ENV-03). */
export function errorResponse(error: ServiceError, settings: Settings): OutgoingMessage {
  const details = detailsOf(error, settings)
  const body = { error: { code: error.code, message: error.message, ...(details && { details }) } }
  const response = jsonText(error.status, JSON.stringify(body))
  Object.assign(response.headers, error.headers)
  return response
}

/** Returns a 500 that reveals nothing about its cause; the cause goes to `report` (ERR-04). */
export function internalErrorResponse(
  cause: unknown,
  settings: Settings,
  report: (cause: unknown) => void,
): OutgoingMessage {
  report(cause)
  return errorResponse(new ServiceError('server_error', 'Something went wrong on our side.'), settings)
}

function detailsOf(error: ServiceError, { unspecified }: Settings): ErrorDetails | undefined {
  if (unspecified.errorDetails === 'none') return undefined
  if (unspecified.errorDetails === 'field' || !error.details) return error.details
  return { ...error.details, reason: 'invalid_value', docs: 'https://docs.example.com/errors' }
}
