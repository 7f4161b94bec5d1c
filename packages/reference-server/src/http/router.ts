import type { IncomingMessage, ResponseOrPromise } from './message.ts'

/** The part of a row that the router needs; every `Route<Call>` satisfies it. */
type Row = Pick<Route<never>, 'method' | 'pattern' | 'run'>

export interface Match<Matched extends Row> {
  readonly route: Matched
  readonly params: Readonly<Record<string, string>>
}

/** Returned for a path that cannot be decoded; the caller responds with 400 (ERR-01). */
export const MALFORMED = Symbol('path with invalid percent-encoding')

/** Finds the row for a method and a raw path. HEAD matches the GET row. Rows are tried in order. */
export class Router<Matched extends Row> {
  readonly #rows: readonly { readonly route: Matched; readonly parts: readonly string[] }[]

  constructor(routes: readonly Matched[]) {
    this.#rows = routes.map((route) => ({ route, parts: route.pattern.slice(1).split('/') }))
  }

  match(method: string, path: string): Match<Matched> | typeof MALFORMED | undefined {
    const segments = decodeSegments(path)
    if (!segments) return MALFORMED
    const wanted = method === 'HEAD' ? 'GET' : method
    for (const { route, parts } of this.#rows) {
      if (route.method !== wanted || parts.length !== segments.length) continue
      const params = paramsOf(parts, segments)
      if (params) return { route, params }
    }
    return undefined
  }

  /** Returns the methods that a raw path supports, HEAD along with GET; empty for an unknown path. */
  methodsOf(path: string): string[] {
    const segments = decodeSegments(path) ?? []
    return this.#rows
      .filter(({ parts }) => parts.length === segments.length && paramsOf(parts, segments))
      .flatMap(({ route: { method } }) => (method === 'GET' ? ['GET', 'HEAD'] : method))
  }
}

function decodeSegments(path: string): string[] | undefined {
  const segments = path.slice(1).split('/')
  if (!path.includes('%')) return segments
  try {
    return segments.map(decodeURIComponent)
  } catch {
    return undefined
  }
}

/** Returns the parameters of a path of as many segments; `undefined` if another one differs, or a parameter is empty. */
function paramsOf(parts: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] as string
    const segment = segments[at] as string
    if (part.startsWith(':') && segment !== '') params[part.slice(1)] = segment
    else if (part !== segment) return undefined
  }
  return params
}

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

/** Creates a row of a route table. */
export const route = <Call = RouteCall>(
  method: Route['method'],
  pattern: string,
  run: (call: Call) => ResponseOrPromise,
): Route<Call> => ({ method, pattern, run })

/** The arguments of every route. Routes of the API also get the authenticated key (see `http/operations`). */
export interface RouteCall {
  readonly request: IncomingMessage
  readonly params: Readonly<Record<string, string>>
  /** First value of each query parameter, decoded. */
  readonly query: ReadonlyMap<string, string>
}
