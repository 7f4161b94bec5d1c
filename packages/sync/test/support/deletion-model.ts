import { Formwire } from '@formwire/sdk'
import { Deletions } from '../../src/round/deletions.ts'
import { FormReader, type ReaderContext } from '../../src/round/reader.ts'
import { sortKey } from '../../src/rows/row.ts'
import type { KeyRange } from '../../src/store/statements.ts'

const START = Date.parse('2026-01-01T00:00:00Z')

/** The positions of the responses that exist, oldest first. */
class Existing {
  readonly #positions: number[]

  constructor(positions: number[]) {
    this.#positions = positions
  }

  /** Returns how many exist before a position. */
  before(position: number): number {
    let low = 0
    let high = this.#positions.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.at(middle) < position) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Returns the position of the one before which `rank` exist. */
  at(rank: number): number {
    return this.#positions[rank] as number
  }

  has(position: number): boolean {
    return this.at(this.before(position)) === position
  }

  delete(position: number): void {
    if (this.has(position)) this.#positions.splice(this.before(position), 1)
  }
}

/**
 * A form and its table in memory, of any size, with the real client and the real search: returns the requests after which the table
 * equals the service.
 *
 * @param deleted positions of responses that the service does not have any more, oldest first
 * @param options `tied` responses have the same instant; the first page with the one at `hidden` lacks it, by mistake; `verify` reads everything
 */
export async function requestsForDeletions(
  size: number,
  deleted: Iterable<number>,
  { perPage = 100, tied = 1, hidden = -1, verify = false } = {},
): Promise<number> {
  const all = Array.from({ length: size }, (_, position) => position)
  const gone = new Set(deleted)
  const service = new Existing(all.filter((position) => !gone.has(position)))
  const rows = new Existing(all)
  const at = (position: number): string => new Date(START + Math.floor(position / tied) * 1000).toISOString()
  /** Returns the first position of a sort key. */
  const positionOf = (key: string): number => Math.min(size, ((Date.parse(`${key}Z`) - START) / 1000) * tied)
  const bounds = ({ from, to }: KeyRange): [number, number] => [
    from === undefined ? 0 : positionOf(from),
    to === undefined ? size : positionOf(to),
  ]
  const count = (existing: Existing, range: KeyRange): number => {
    const [first, end] = bounds(range)
    return existing.before(end) - existing.before(first)
  }
  const envelope = (status: number, body: object): Response =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
  let requests = 0
  let hiding = hidden
  const formwire = new Formwire({
    apiKey: 'svc_test',
    baseUrl: 'http://formwire.test',
    rateLimit: false,
    fetch: async (input) => {
      requests += 1
      const url = new URL(String((input as Request).url ?? input))
      const id = /responses\/(\d+)$/.exec(url.pathname)?.[1]
      if (id !== undefined)
        return envelope(404, { error: { code: 'not_found', message: 'Not found.', details: {} } })
      const page = Number(url.searchParams.get('page'))
      const since = url.searchParams.get('since')
      const first = since === null ? 0 : positionOf(sortKey(since))
      const older = service.before(first)
      const total = service.before(size) - older
      const data: object[] = []
      for (let index = (page - 1) * perPage; index < Math.min(total, page * perPage); index += 1) {
        const position = service.at(older + total - 1 - index)
        if (position === hiding) {
          hiding = -1
          continue
        }
        data.push({
          id: position + 1,
          form_id: 'f',
          status: 'submitted',
          submitted_at: at(position),
          answers: [],
        })
      }
      return envelope(200, { data, meta: { page, per_page: perPage, total } })
    },
  })
  const table = {
    scope: { formId: 'f' },
    count: async (range: KeyRange) => count(rows, range),
    ids: async (range: KeyRange) => {
      const [first, end] = bounds(range)
      const ids: number[] = []
      for (let position = first; position < end; position += 1) if (rows.has(position)) ids.push(position + 1)
      return ids
    },
    instantAt: async (range: KeyRange, index: number) => {
      const [first, end] = bounds(range)
      const rank = rows.before(end) - 1 - index
      return rank < rows.before(first) ? undefined : at(rows.at(rank))
    },
    write: async (_rows: object[], options: { count?: KeyRange }) => ({
      changes: [],
      count: options.count ? count(rows, options.count) : 0,
    }),
    async markDeleted(ids: number[]) {
      for (const id of ids) {
        if (service.has(id - 1)) throw new Error(`Response ${id} exists, and was marked as deleted.`)
        rows.delete(id - 1)
      }
      return []
    },
  }
  const context = {
    formwire,
    perPage,
    now: () => START,
    onChanges: () => undefined,
  } as unknown as ReaderContext
  const newest = service.at(service.before(size) - 1)
  const checkpoint = { version: 1 as const, since: at(Math.min(newest, size - 1)), ids: [newest + 1] }
  const deletions = new Deletions(new FormReader(context, table as never, checkpoint), true)
  if (verify) await deletions.readAll()
  else await deletions.reconcile()
  if (rows.before(size) !== service.before(size)) throw new Error('The table has deleted responses.')
  return requests
}
