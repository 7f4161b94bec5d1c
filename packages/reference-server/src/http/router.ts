import type { OutgoingMessage } from './message.ts'

/** What the router needs of a row; `Route<Call>` of any call is one. */
interface Row {
  readonly method: string
  readonly pattern: string
  readonly run: (call: never) => OutgoingMessage | Promise<OutgoingMessage>
}

export interface Match<Matched extends Row> {
  readonly route: Matched
  readonly params: Readonly<Record<string, string>>
}

/** A broken percent-encoding cannot be matched with anything: the caller answers 400 (ERR-01). */
export const UNREADABLE = Symbol('path with a broken percent-encoding')

interface CompiledRow<Matched extends Row> {
  readonly route: Matched
  readonly segments: readonly string[]
}

/** Finds the row for a method and a raw path. HEAD is served by the GET row. Rows are tried in their order. */
export class Router<Matched extends Row> {
  readonly #byLength = new Map<number, CompiledRow<Matched>[]>()

  constructor(routes: readonly Matched[]) {
    for (const route of routes) {
      const segments = route.pattern.slice(1).split('/')
      const rows = this.#byLength.get(segments.length)
      if (rows) rows.push({ route, segments })
      else this.#byLength.set(segments.length, [{ route, segments }])
    }
  }

  match(method: string, path: string): Match<Matched> | typeof UNREADABLE | undefined {
    const segments = decodeSegments(path)
    if (!segments) return UNREADABLE
    const wanted = method === 'HEAD' ? 'GET' : method
    for (const row of this.#byLength.get(segments.length) ?? []) {
      if (row.route.method !== wanted) continue
      const params = paramsOf(row.segments, segments)
      if (params) return { route: row.route, params }
    }
    return undefined
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

function paramsOf(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  for (let i = 0; i < pattern.length; i += 1) {
    const expected = pattern[i] as string
    const segment = segments[i] as string
    if (expected.startsWith(':')) {
      if (segment === '') return undefined
      params[expected.slice(1)] = segment
    } else if (expected !== segment) return undefined
  }
  return params
}
