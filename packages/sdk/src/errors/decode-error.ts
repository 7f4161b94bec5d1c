import { FormwireError, hasKind, type RequestFacts } from './formwire-error.ts'

/** A success status whose body is not what the service documents: no JSON, cut short, or without its envelope. */
export class DecodeError extends FormwireError {
  static override readonly kind: string = 'DecodeError'

  /** HTTP status of the answer. */
  declare readonly status: number
  /** `X-Request-Id` of the answer, when there was one. */
  declare readonly requestId: string | undefined
  /** `Content-Type` of the answer, when there was one. */
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
