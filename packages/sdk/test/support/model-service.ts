import { ResponseTooLargeError, type Transport } from '../../src/index.ts'
import { respond } from './fake-transport.ts'

/** A response of the model; the instant in nanoseconds since the epoch. */
export interface ModelRow {
  id: number
  at: bigint
}

/** How the model writes a timestamp. Each is exact for the instants that the tests make. */
export type Format = (at: bigint, id: number) => string

const pad = (value: bigint, digits: number): string => value.toString().padStart(digits, '0')

function parts(at: bigint): { date: string; nanoseconds: bigint } {
  const seconds = at / 1_000_000_000n
  return {
    date: new Date(Number(seconds) * 1000).toISOString().slice(0, 19),
    nanoseconds: at % 1_000_000_000n,
  }
}

/** Ways a service may write one instant. */
export const formats = {
  milliseconds: (at) => `${parts(at).date}.${pad(parts(at).nanoseconds / 1_000_000n, 3)}Z`,
  seconds: (at) => `${parts(at).date}Z`,
  microseconds: (at) => `${parts(at).date}.${pad(parts(at).nanoseconds / 1000n, 6)}Z`,
  nanoseconds: (at) => `${parts(at).date}.${pad(parts(at).nanoseconds, 9)}Z`,
  offset: (at) => `${parts(at).date}.${pad(parts(at).nanoseconds, 9)}+00:00`,
  /** The same instant in another zone: text order and time order differ. */
  elsewhere: (at, id) => {
    const hours = BigInt((id % 5) - 2)
    const shifted = parts(at + hours * 3_600_000_000_000n)
    const sign = hours < 0n ? '-' : '+'
    return `${shifted.date}.${pad(shifted.nanoseconds, 9)}${sign}${pad(hours < 0n ? -hours : hours, 2)}:00`
  },
  /** Whole seconds where they are whole, nanoseconds elsewhere. */
  mixed: (at: bigint, id: number): string =>
    at % 1_000_000_000n === 0n && id % 2 === 0 ? formats.seconds(at) : formats.nanoseconds(at),
} satisfies Record<string, Format>

/** Reads a timestamp on its own, so that a mistake in the SDK's reader shows. */
export function readNanoseconds(text: string): bigint {
  const match = /^(.{19})(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/.exec(text)
  if (!match) throw new Error(`unreadable since: ${text}`)
  const [, date, fraction = '', zone] = match
  return BigInt(Date.parse(`${date}${zone}`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9))
}

/** The response list of the service, changing between any two requests. */
export class ModelService {
  /** Newest first: by instant, then by id. */
  rows: ModelRow[] = []
  format: Format
  /** Precision that instants are cut to for `since`; the service compares what it stores. */
  requests = 0
  pastEnd: 'empty' | '422' = 'empty'
  /** Whether the rows of a page are shorter than `maxResponseBytes` together. */
  fits: (rows: readonly ModelRow[]) => boolean = () => true
  /** Called before each response. */
  beforeAnswer: (request: number) => void = () => {}
  #nextId = 1

  constructor(format: Format = formats.milliseconds) {
    this.format = format
  }

  insert(at: bigint): number {
    const id = this.#nextId
    this.#nextId += 1
    const row = { id, at }
    const place = this.rows.findIndex((other) => other.at <= at)
    this.rows.splice(place < 0 ? this.rows.length : place, 0, row)
    return id
  }

  /** Puts rows in at once; `at` has to rise. */
  fill(instants: bigint[]): void {
    const added = instants.map((at) => {
      const row = { id: this.#nextId, at }
      this.#nextId += 1
      return row
    })
    this.rows = [...added.reverse(), ...this.rows]
  }

  remove(index: number): ModelRow | undefined {
    return this.rows.splice(index, 1)[0]
  }

  /** Moves a row to the front, as a form that is renamed and a draft that is saved again. */
  touch(index: number, at: bigint): void {
    const row = this.remove(index)
    if (row) this.rows.unshift({ id: row.id, at })
  }

  readonly transport: Transport = async ({ url, maxResponseBytes }) => {
    this.requests += 1
    this.beforeAnswer(this.requests)
    const query = new URL(url).searchParams
    const page = Number(query.get('page') ?? 1)
    const perPage = Number(query.get('per_page') ?? 25)
    const since = query.get('since')
    let end = this.rows.length
    if (since !== null) {
      const from = readNanoseconds(since)
      // Rows are in order: those since an instant are a prefix.
      let low = 0
      while (low < end) {
        const middle = (low + end) >> 1
        if ((this.rows[middle] as ModelRow).at >= from) low = middle + 1
        else end = middle
      }
    }
    const start = (page - 1) * perPage
    if (page > 1 && start >= end && this.pastEnd === '422') {
      return respond({
        status: 422,
        body: { error: { code: 'validation_failed', message: 'no such page', details: { field: 'page' } } },
      })
    }
    const rows = this.rows.slice(start, Math.min(end, start + perPage))
    if (!this.fits(rows)) throw new ResponseTooLargeError({ maxResponseBytes })
    const data = rows.map(({ id, at }) => ({
      id,
      form_id: 'abcdefghijkl',
      status: 'submitted',
      submitted_at: this.format(at, id),
    }))
    return respond({ body: { data, meta: { page, per_page: perPage, total: end } } })
  }
}
