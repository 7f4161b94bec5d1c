import { ERROR_STATUS, type ErrorCode, type ErrorDetails } from '@formwire/contract'
import { recognizeCopies } from '@formwire/internal/error-class'
import { ExplainedError } from '../explained-error.ts'
import type { Refusal, Result } from './result.ts'

/**
 * Codes beyond the documented ones: for a public form that accepts no responses, and for the 409 that a deployment may
 * return when the status of an unpublished form is set (FORM-06).
 */
const OWN_STATUS = { form_closed: 403, conflict: 409 } as const

export type ServiceErrorCode = ErrorCode | keyof typeof OWN_STATUS

/**
 * An error that the client sees. Any other exception becomes a 500 `server_error` that reveals nothing of its cause
 * (ERR-04).
 */
export class ServiceError extends ExplainedError {
  override readonly name = 'ServiceError'
  readonly code: ServiceErrorCode
  /** The documented status of the code, unless a deployment uses another one. */
  readonly status: number
  readonly details: ErrorDetails | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ServiceErrorCode,
    message: string,
    details?: ErrorDetails,
    headers: Record<string, string> = {},
    status: number = { ...ERROR_STATUS, ...OWN_STATUS }[code],
  ) {
    super(message)
    this.code = code
    this.details = details
    this.status = status
    this.headers = headers
  }
}
recognizeCopies(ServiceError, 'ServiceError')

/** 404 of a form, response or webhook. The body is the same whether it is missing or in another workspace (AUTH-12). */
export const notFound = (): ServiceError => new ServiceError('not_found', 'Not found.')

/** Returns what was found. @throws ServiceError 404 for nothing */
export function orNotFound<Value>(value: Value | undefined): Value {
  if (value === undefined) throw notFound()
  return value
}

/** The error of a refusal: 422 unless it has another code, with the field at fault (ERR-03). */
const refusalError = ({ code = 'validation_failed', message, field }: Refusal): ServiceError =>
  new ServiceError(code, message, field === undefined ? undefined : { field })

/** 422 that names the one field at fault (ERR-03). */
export const invalid = (field: string, message: string): ServiceError => refusalError({ field, message })

/** Returns the value of a result. @throws ServiceError for a refusal. */
export function valueOrThrow<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value
  throw refusalError(result.refusal)
}

/** 400 for a request that cannot be read (ERR-01). */
export const badRequest = (message: string): ServiceError => new ServiceError('bad_request', message)

/** 422 that names no field. */
export const unprocessable = (message: string): ServiceError => refusalError({ message })

/** A body over the size limit: 400, or 413 in some deployments (ERR-01). */
export class BodyTooLargeError extends ServiceError {
  constructor(maxBytes: number, status: 400 | 413 = 400) {
    super('bad_request', `The body is larger than ${maxBytes} bytes.`, undefined, {}, status)
  }
}
