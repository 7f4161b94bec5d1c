import type { ErrorCode, ErrorDetails, OpenEnum } from '@formwire/contract'
import { FormwireError, hasKind, type RequestFacts } from './formwire-error.ts'

/** What an answer with an error status said. */
export interface ApiErrorFacts extends RequestFacts {
  status: number
  code: OpenEnum<ErrorCode>
  /** What the service wrote, or what stands in for it. */
  reason: string
  details?: ErrorDetails | undefined
  requestId?: string | undefined
  headers: Headers
  /** Whether the body was the service's error envelope (ENV-03); `false` for a proxy's page or an empty body. */
  envelope: boolean
}

/** The service, or a proxy before it, answered with an error status. One class a documented code stands below it. */
export class ApiError extends FormwireError {
  static override readonly kind: string = 'ApiError'

  /** HTTP status. */
  declare readonly status: number
  /** The service's code; an unknown string is one that a later version added. Branch on this, not on the message. */
  declare readonly code: OpenEnum<ErrorCode>
  /** What the service adds: `details.field` names the parameter or field at fault. */
  declare readonly details: ErrorDetails | undefined
  /** `X-Request-Id` of the answer, when there was one: quote it to support. */
  declare readonly requestId: string | undefined
  /** Headers of the answer. */
  declare readonly headers: Headers
  /** `false` when the body was not the service's error envelope, such as an HTML page of a proxy. */
  declare readonly envelope: boolean

  constructor(facts: ApiErrorFacts, options?: { cause?: unknown }) {
    const { reason, ...members } = facts
    const where = facts.method ? `${facts.method} ${facts.path} answered ` : 'Answered '
    const tail = facts.requestId ? ` Request id: ${facts.requestId}.` : ''
    super(`${where}${facts.status} ${facts.code}: ${reason}${tail}`, members, options)
  }
}

/** Whether a value is an {@link ApiError}, from any copy of the package. */
export function isApiError(value: unknown): value is ApiError {
  return hasKind(value, ApiError.kind)
}
