import { UsageError } from '../errors/usage-error.ts'

/**
 * Builds a path from ids: each is encoded, and one that is empty or a dot segment is refused, since a URL parser would turn
 * it into another endpoint.
 *
 * @throws UsageError
 */
export function path(parts: TemplateStringsArray, ...ids: (string | number)[]): string {
  return parts.reduce((built, part, index) => built + segment(ids[index - 1], built) + part)
}

function segment(id: string | number | undefined, before: string): string {
  const text = typeof id === 'number' || typeof id === 'string' ? String(id) : ''
  if (text === '' || text === '.' || text === '..') {
    throw new UsageError(`An id is needed after "${before}", got ${JSON.stringify(id) ?? String(id)}.`)
  }
  return encodeURIComponent(text)
}

/** Values of a query; `undefined` ones are left out. */
export type Query = Record<string, string | number | Date | undefined>

/** The query with its question mark, or nothing. A Date becomes ISO 8601 in UTC; `+` and `:` are encoded. */
export function queryString(query: Query | undefined): string {
  if (!query) return ''
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) params.append(name, value instanceof Date ? isoText(value, name) : String(value))
  }
  const text = params.toString()
  return text && `?${text}`
}

/** ISO 8601 in UTC. @throws UsageError */
export function isoText(value: Date, name: string): string {
  if (Number.isNaN(value.getTime())) throw new UsageError(`"${name}" is an invalid Date.`)
  return value.toISOString()
}
