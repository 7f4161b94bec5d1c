import type { IncomingMessage, OutgoingMessage } from './message.ts'

/**
 * One row of a route table. `pattern` has literal segments and `:name` parameters; a parameter is one segment,
 * percent-decoded. What `run` throws as `ServiceError` becomes the documented error, anything else a 500.
 */
export interface Route<Call = RouteCall> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly pattern: string
  readonly run: (call: Call) => OutgoingMessage | Promise<OutgoingMessage>
}

/** What every route is given. The API's own routes get more: the authenticated key (see `http/operations`). */
export interface RouteCall {
  readonly request: IncomingMessage
  readonly params: Readonly<Record<string, string>>
  /** First value of each query parameter, decoded. */
  readonly query: ReadonlyMap<string, string>
}
