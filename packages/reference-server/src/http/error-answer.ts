import type { ErrorDetails } from '@formwire/contract'
import type { Settings } from '../settings.ts'
import { jsonText } from './answers.ts'
import { ServiceError } from './errors.ts'
import type { OutgoingMessage } from './message.ts'

/** The envelope of an error (ENV-03). */
export function errorAnswer(error: ServiceError, settings: Settings): OutgoingMessage {
  const details = detailsOf(error, settings)
  const body = { error: { code: error.code, message: error.message, ...(details && { details }) } }
  const answer = jsonText(error.status, JSON.stringify(body))
  Object.assign(answer.headers, error.headers)
  return answer
}

/** What is shown of a bug: nothing of its cause, which goes to `report` (ERR-04). */
export function bugAnswer(
  cause: unknown,
  settings: Settings,
  report: (cause: unknown) => void,
): OutgoingMessage {
  report(cause)
  return errorAnswer(new ServiceError('server_error', 'Something went wrong on our side.'), settings)
}

function detailsOf(error: ServiceError, { unspecified }: Settings): ErrorDetails | undefined {
  if (unspecified.errorDetails === 'none') return undefined
  if (unspecified.errorDetails === 'field' || !error.details) return error.details
  return { ...error.details, reason: 'invalid_value', docs: 'https://docs.example.com/errors' }
}
