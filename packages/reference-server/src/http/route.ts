import type { IncomingMessage, ResponseOrPromise } from './message.ts'

/**
 * One row of a route table. `pattern` has literal segments and `:name` parameters; a parameter is one segment,
 * percent-decoded. A `ServiceError` thrown by `run` becomes the documented error, any other error a 500.
 */
export interface Route<Call = RouteCall> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly pattern: string
  /** Names of the query parameters of a route of the control API, which refuses others. @default none */
  readonly parameters?: readonly string[]
  readonly run: (call: Call) => ResponseOrPromise
}

/** The arguments of every route. Routes of the API also get the authenticated key (see `http/operations`). */
export interface RouteCall {
  readonly request: IncomingMessage
  readonly params: Readonly<Record<string, string>>
  /** First value of each query parameter, decoded. */
  readonly query: ReadonlyMap<string, string>
}
