import type { TransportResponse } from './transport.ts'

/** Headers as node and undici give them: names in lower case, several values as a list. */
export function recordHeaders(
  record: Record<string, string | string[] | undefined>,
): TransportResponse['headers'] {
  const get = (name: string): string | null => {
    const value = record[name.toLowerCase()]
    return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value
  }
  return {
    get,
    *[Symbol.iterator]() {
      for (const name of Object.keys(record)) {
        const value = get(name)
        if (value !== null) yield [name, value] as [string, string]
      }
    },
  }
}
