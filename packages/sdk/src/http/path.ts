import { UsageError } from '../errors/client-errors.ts'

/**
 * Builds a path from ids and encodes each of them. Rejects empty ids and dot segments, with which the path would lead to another
 * route, and values that are not ids, such as a whole form, NaN or text that has no encoding.
 *
 * @throws UsageError
 */
export function path(parts: TemplateStringsArray, ...ids: (string | number)[]): string {
  return parts.reduce((built, part, index) => built + segment(ids[index - 1], built) + part)
}

function segment(id: string | number | undefined, before: string): string {
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) {
    const got = typeof id === 'number' || id == null ? id : `${typeof id}; pass its id`
    throw invalidId(before, `must be a string or an integer, got ${got}`)
  }
  const text = String(id)
  const got = JSON.stringify(id)
  if (/^\.{0,2}$/.test(text)) {
    throw invalidId(before, `must not be empty, "." or "..", got ${got}`)
  }
  // A lone surrogate has no encoding.
  if (/[\ud800-\udfff]/u.test(text)) {
    throw invalidId(before, `must be valid Unicode, got ${got}`)
  }
  return encodeURIComponent(text)
}

const invalidId = (after: string, problem: string): UsageError =>
  new UsageError(`The id after "${after}" ${problem}.`, { idAfter: after, problem })

/** Query parameters. `undefined` values are omitted. */
type Query = Record<string, string | number | Date | undefined>

/**
 * Returns the encoded query with its question mark, in the order of `names`, or an empty string. A Date becomes ISO 8601 in UTC.
 */
export function queryString(query: object | undefined, names?: readonly string[]): string {
  if (!query) return ''
  const params = new URLSearchParams()
  for (const name of names ?? Object.keys(query)) {
    const value = (query as Query)[name]
    if (value !== undefined) params.append(name, value instanceof Date ? isoText(value, name) : String(value))
  }
  const text = params.toString()
  return text && `?${text}`
}

/** Formats a Date as ISO 8601 in UTC. @throws UsageError if the Date is invalid. */
export function isoText(value: Date, name: string): string {
  if (Number.isNaN(value.getTime())) throw new UsageError(`"${name}" must be a valid Date.`)
  return value.toISOString()
}
