import { FormwireError, hasKind, type RequestFacts } from './formwire-error.ts'

/** Successful status, but the body is not as documented: not JSON, truncated, or without the envelope. */
export class DecodeError extends FormwireError<
  RequestFacts & {
    status: number
    problem?: string | undefined
    requestId?: string | undefined
    contentType?: string | undefined
  }
> {
  static override readonly kind: string = 'DecodeError'
  declare readonly name: 'DecodeError'

  /** HTTP status. */
  declare readonly status: number
  /** `X-Request-Id` of the response, if present. */
  declare readonly requestId: string | undefined
  /** `Content-Type` of the response, if present. */
  declare readonly contentType: string | undefined

  /** What is wrong with the response, as in "the body is empty". */
  declare readonly problem: string | undefined
}

/** Whether a value is a {@link DecodeError}, from any copy of the package. */
export function isDecodeError(value: unknown): value is DecodeError {
  return hasKind(value, DecodeError.kind)
}
