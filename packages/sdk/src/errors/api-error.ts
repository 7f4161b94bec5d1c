import type { ErrorCode, ErrorDetails, OpenEnum } from '@formwire/contract'
import { FormwireError, hasKind, type RequestFacts } from './formwire-error.ts'

/** Content of an HTTP error response. */
export interface ApiErrorFacts extends RequestFacts {
  status: number
  code: OpenEnum<ErrorCode>
  /** Message of the service, or a replacement if there is none. */
  reason: string
  details?: ErrorDetails | undefined
  requestId?: string | undefined
  headers: Headers
  /** Whether the body was the error envelope of the service (ENV-03). `false` for an HTML page of a proxy or an empty body. */
  envelope: boolean
}

/** HTTP error response of the service or of a proxy. Each documented code has a subclass. */
export class ApiError<Facts extends ApiErrorFacts = ApiErrorFacts> extends FormwireError<Facts> {
  static override readonly kind: string = 'ApiError'

  /** HTTP status. */
  declare readonly status: number
  /** Error code of the service. Later versions may add codes. Branch on this, not on the message. */
  declare readonly code: OpenEnum<ErrorCode>
  /** Message of the service, or a replacement if there is none. `message` begins with the request. */
  declare readonly reason: string
  /** Details, such as `details.field`: the invalid parameter or field. */
  declare readonly details: ErrorDetails | undefined
  /** `X-Request-Id` of the response, if present. Include it in support requests. */
  declare readonly requestId: string | undefined
  /** Headers of the response, without `set-cookie`. */
  declare readonly headers: Headers
  /** `false` if the body was not the error envelope of the service, for example an HTML page of a proxy. */
  declare readonly envelope: boolean

  constructor(facts: Facts, options?: { cause?: unknown }) {
    const where = facts.method ? `${facts.method} ${facts.path} returned ` : ''
    const tail = facts.requestId ? ` Request id: ${facts.requestId}.` : ''
    super(`${where}${facts.status} ${facts.code}: ${facts.reason}${tail}`, facts, options)
  }
}

/** Whether a value is an {@link ApiError}, from any copy of the package. */
export function isApiError(value: unknown): value is ApiError {
  return hasKind(value, ApiError.kind)
}
