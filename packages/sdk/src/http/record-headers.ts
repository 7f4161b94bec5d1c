import type { TransportResponse } from './transport.ts'

type HeaderRecord = Record<string, string | string[] | undefined>

/** Wraps headers as Node and undici provide them: lower-case names, repeated values as an array. */
export function recordHeaders(record: HeaderRecord): TransportResponse['headers'] {
  return new RecordHeaders(record)
}

class RecordHeaders {
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
