import { ERROR_STATUS, type ErrorCode, type ErrorDetails } from '@formwire/contract'

/**
 * The codes beyond the documented ones: a public form that takes nothing, and the 409 that a deployment may give for a
 * status set on a form that is not published (FORM-06).
 */
const OWN_STATUS = { form_closed: 403, conflict: 409 } as const

export type ServiceErrorCode = ErrorCode | keyof typeof OWN_STATUS

/**
 * A refusal that the client is meant to see. Everything else that is thrown becomes a 500 `server_error` with nothing
 * of its cause (ERR-04).
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ServiceErrorCode
  readonly status: number
  readonly details: ErrorDetails | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ServiceErrorCode,
    message: string,
    details?: ErrorDetails,
    headers: Record<string, string> = {},
  ) {
    super(message)
    this.code = code
    this.details = details
    this.status = { ...ERROR_STATUS, ...OWN_STATUS }[code]
    this.headers = headers
  }
}

/** 404 of a form, response or webhook: one text for all, so that nothing tells them apart (AUTH-12). */
export const notFound = (): ServiceError => new ServiceError('not_found', 'Not found.')

/** 422 that names the one field at fault (ERR-03). */
export const invalid = (field: string, message: string): ServiceError =>
  new ServiceError('validation_failed', message, { field })

/** 400 for a request that cannot be read (ERR-01). */
export const badRequest = (message: string): ServiceError => new ServiceError('bad_request', message)
