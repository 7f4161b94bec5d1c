import { isObjectOrArray } from '@formwire/internal/json'
import { UsageError } from '../errors/client-errors.ts'

/**
 * Lower-cases header names, so that a later header replaces an earlier one, and removes `authorization`.
 *
 * @throws UsageError if the headers are a text, a list or a `Headers`, whose entries would be lost, or if HTTP does not allow a name
 * or a value. A transport would report each attempt as a connection failure.
 */
export function checkedHeaders(headers: Record<string, string> = {}): Record<string, string> {
  if (!isObjectOrArray(headers) || Symbol.iterator in headers) {
    throw new UsageError('"headers" must be a plain object of names and values.')
  }
  const checked: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#-'*+.^`|~\w-]+$/.test(name) || /[^\t -~\x80-\xff]/.test(value)) {
      throw new UsageError(`Header ${JSON.stringify(name)} contains characters that are not allowed in HTTP.`)
    }
    if (name.toLowerCase() !== 'authorization') checked[name.toLowerCase()] = value
  }
  return checked
}

type HeaderRecord = Record<string, string | string[] | undefined>

/** Headers as Node and undici provide them: lower-case names, repeated values as an array. */
export class RecordHeaders {
  readonly #record: HeaderRecord

  constructor(record: HeaderRecord) {
    this.#record = record
  }

  get(name: string): string | null {
    const value = this.#record[name.toLowerCase()]
    return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value
  }

  *[Symbol.iterator](): Generator<[string, string], void, undefined> {
    for (const name of Object.keys(this.#record)) {
      const value = this.get(name)
      if (value !== null) yield [name, value]
    }
  }
}
