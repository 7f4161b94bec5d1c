import { FormwireError, hasKind, type RequestFacts } from './formwire-error.ts'

/** The host could not be reached, or the connection was lost before the response was complete. `cause` is the system error. */
export class ConnectionError extends FormwireError<
  RequestFacts & { maybeSent: boolean; systemCode?: string | undefined }
> {
  static override readonly kind: string = 'ConnectionError'
  declare readonly name: 'ConnectionError'

  /** Whether the request may have reached the service. `false` if no connection was established. */
  declare readonly maybeSent: boolean
  /** System error code, such as `ECONNREFUSED`, if known. */
  declare readonly systemCode: string | undefined
}

/** Whether a value is a {@link ConnectionError}, from any copy of the package. */
export function isConnectionError(value: unknown): value is ConnectionError {
  return hasKind(value, ConnectionError.kind)
}
