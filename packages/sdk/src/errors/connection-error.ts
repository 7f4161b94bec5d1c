import { FormwireError, hasKind, type RequestFacts } from './formwire-error.ts'

/** No answer came: the host was not reached, or the connection broke before the answer was whole. */
export class ConnectionError extends FormwireError {
  static override readonly kind: string = 'ConnectionError'

  /** Whether the request may have reached the service: `false` when the connection never came up. */
  declare readonly maybeSent: boolean
  /** The system's code, such as `ECONNREFUSED`, when there was one. */
  declare readonly systemCode: string | undefined

  constructor(
    message: string,
    facts: RequestFacts & { maybeSent: boolean; systemCode?: string | undefined },
    options?: { cause?: unknown },
  ) {
    super(message, facts, options)
  }
}

/** Whether a value is a {@link ConnectionError}, from any copy of the package. */
export function isConnectionError(value: unknown): value is ConnectionError {
  return hasKind(value, ConnectionError.kind)
}
