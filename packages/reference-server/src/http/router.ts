import type { IncomingMessage, ResponseOrPromise } from './message.ts'

/** The part of a row that the router needs; every `Route<Call>` satisfies it. */
type Row = Pick<Route<never>, 'method' | 'pattern' | 'run'>

export interface Match<Matched extends Row> {
  readonly route: Matched
  readonly params: Readonly<Record<string, string>>
}

/** Returned for a path that cannot be decoded; the caller responds with 400 (ERR-01). */
export const MALFORMED = Symbol('path with invalid percent-encoding')

interface CompiledRow<Matched extends Row> {
  readonly route: Matched
  /** Literal segments by position. */
  readonly literals: readonly (readonly [number, string])[]
  /** Parameter names by position. */
  readonly names: readonly (readonly [number, string])[]
}

/** Finds the row for a method and a raw path. HEAD matches the GET row. Rows are tried in order. */
export class Router<Matched extends Row> {
  readonly #byLength = new Map<number, CompiledRow<Matched>[]>()

  constructor(routes: readonly Matched[]) {
    for (const route of routes) {
      const segments = [...route.pattern.slice(1).split('/').entries()]
      const row: CompiledRow<Matched> = {
        route,
        literals: segments.filter(([, segment]) => !segment.startsWith(':')),
        names: segments
          .filter(([, segment]) => segment.startsWith(':'))
          .map(([position, segment]) => [position, segment.slice(1)]),
      }
      const rows = this.#byLength.get(segments.length)
      if (rows) rows.push(row)
      else this.#byLength.set(segments.length, [row])
    }
  }

  match(method: string, path: string): Match<Matched> | typeof MALFORMED | undefined {
    const segments = decodeSegments(path)
    if (!segments) return MALFORMED
    const rows = this.#byLength.get(segments.length)
    if (!rows) return undefined
    const wanted = method === 'HEAD' ? 'GET' : method
    for (const row of rows) {
      if (row.route.method === wanted && fits(row, segments))
        return { route: row.route, params: paramsOf(row, segments) }
    }
    return undefined
  }

  /** Returns the methods that a raw path supports, HEAD along with GET; empty for an unknown path. */
  methodsOf(path: string): string[] {
    const segments = decodeSegments(path) ?? []
    const rows = this.#byLength.get(segments.length) ?? []
    const methods = rows.filter((row) => fits(row, segments)).map((row) => row.route.method)
    return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method))
  }
}

function decodeSegments(path: string): string[] | undefined {
  const segments = splitPath(path)
  if (!path.includes('%')) return segments
  try {
    return segments.map(decodeURIComponent)
  } catch {
    return undefined
  }
}

/** Equivalent to `path.slice(1).split('/')`, but faster. */
function splitPath(path: string): string[] {
  const segments: string[] = []
  let from = 1
  for (let slash = path.indexOf('/', from); slash >= 0; slash = path.indexOf('/', from)) {
    segments.push(path.slice(from, slash))
    from = slash + 1
  }
  segments.push(path.slice(from))
  return segments
}

function fits({ literals, names }: CompiledRow<Row>, segments: readonly string[]): boolean {
  for (const [position, literal] of literals) if (segments[position] !== literal) return false
  for (const [position] of names) if (segments[position] === '') return false
  return true
}

function paramsOf({ names }: CompiledRow<Row>, segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [position, name] of names) params[name] = segments[position] as string
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
