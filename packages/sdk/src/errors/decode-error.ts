import { FormwireError, hasKind, type RequestFacts } from './formwire-error.ts'

/** Successful status, but the body is not as documented: not JSON, truncated, or without the envelope. */
export class DecodeError extends FormwireError {
  static override readonly kind: string = 'DecodeError'
  declare readonly name: 'DecodeError'

  /** HTTP status. */
  declare readonly status: number
  /** `X-Request-Id` of the response, if present. */
  declare readonly requestId: string | undefined
  /** `Content-Type` of the response, if present. */
  declare readonly contentType: string | undefined

  constructor(
    message: string,
    facts: RequestFacts & {
      status: number
      requestId?: string | undefined
      contentType?: string | undefined
    },
    options?: { cause?: unknown },
  ) {
    super(message, facts, options)
  }
}

/** Whether a value is a {@link DecodeError}, from any copy of the package. */
export function isDecodeError(value: unknown): value is DecodeError {
  return hasKind(value, DecodeError.kind)
}
