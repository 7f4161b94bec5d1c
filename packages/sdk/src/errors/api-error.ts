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
  /** What to do about it, added to the message. */
  hint?: string | undefined
}

/** The service, or a proxy before it, answered with an error status. One class a documented code stands below it. */
export class ApiError extends FormwireError {
  static override readonly kind: string = 'ApiError'

  /** HTTP status. */
  readonly status: number
  /** The service's code; an unknown string is one that a later version added. Branch on this, not on the message. */
  readonly code: OpenEnum<ErrorCode>
  /** What the service adds: `details.field` names the parameter or field at fault. */
  readonly details: ErrorDetails | undefined
  /** `X-Request-Id` of the answer, when there was one: quote it to support. */
  readonly requestId: string | undefined
  /** Headers of the answer. */
  readonly headers: Headers
  /** `false` when the body was not the service's error envelope, such as an HTML page of a proxy. */
  readonly envelope: boolean

  constructor(facts: ApiErrorFacts, options?: { cause?: unknown }) {
    const where = facts.method ? `${facts.method} ${facts.path} answered ` : 'Answered '
    const tail = [facts.hint, facts.requestId && `Request id: ${facts.requestId}.`].filter(Boolean).join(' ')
    super(`${where}${facts.status} ${facts.code}: ${facts.reason}${tail && ` ${tail}`}`, facts, options)
    this.status = facts.status
    this.code = facts.code
    this.details = facts.details
    this.requestId = facts.requestId
    this.headers = facts.headers
    this.envelope = facts.envelope
  }

  override toJSON(): Record<string, unknown> {
    return {
      ...super.toJSON(),
      status: this.status,
      code: this.code,
      details: this.details,
      requestId: this.requestId,
    }
  }
}

/** Whether a value is an {@link ApiError}, from any copy of the package. */
export function isApiError(value: unknown): value is ApiError {
  return hasKind(value, ApiError.kind)
}
