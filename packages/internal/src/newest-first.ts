/** A response, as far as its place in a list depends on it. */
interface Row {
  id: number
  submitted_at: string | null
}

/** One page of responses. */
interface RowPage<Item> {
  data: Item[]
  meta: { total: number; per_page: number }
}

/** Responses newest first, from one page on: its first page when awaited, every response when iterated. */
export interface RowList<Item> extends AsyncIterable<Item>, PromiseLike<RowPage<Item>> {}

/** Lists the responses since an instant, from a page on. */
type ListRows<Item> = (since: string | undefined, page: number) => RowList<Item>

/** Responses per page of the API. */
export const PER_PAGE = 100

/**
 * Responses after which the list is opened again: the iterator of a list remembers the id of every response, and memory
 * must not depend on their number.
 */
const SEGMENT = 20_000

/** Where to begin. */
interface NewestFirstStart<Item> {
  since: string | undefined
  /** The list from page 1. */
  newest: RowList<Item>
  /** Responses that an earlier run has read, and its position. @default it is the first run */
  stop?: { count: number; position: Position } | undefined
  /** Whether the responses are drafts, which change their places when they are saved again. */
  areDrafts: boolean
  /** Returns the instant of a response as {@link sortableInstant} writes it. @throws for a response without one */
  instantOf: (row: Item) => string
  /** Called for each response that is left out because it is newer than the last one. @default they are left out in silence */
  onNewer?: (row: Item) => void
}

/**
 * Yields every response once, newest first, page by page. Responses that arrive meanwhile are left out, since they would be out of
 * order; so are those that have arrived since an earlier run.
 *
 * @param onRead called for each response
 */
export async function* newestFirst<Item extends Row>(
  list: ListRows<Item>,
  { since, newest, stop, areDrafts, instantOf, onNewer }: NewestFirstStart<Item>,
  onRead: () => void = () => undefined,
): AsyncGenerator<Item[]> {
  const position = stop?.position ?? new Position()
  let { count } = stop ?? { count: 0 }
  let segment = stop ? await older(list, since, { count, position, instantOf }) : { rows: newest }
  let page: Item[] = []
  for (;;) {
    let read = 0
    let isOver = true
    for await (const row of segment.rows) {
      if (!areDrafts && !isNext(row, position, instantOf, onNewer)) continue
      onRead()
      page.push(row)
      if (page.length < PER_PAGE) continue
      const [first] = page
      yield page
      page = []
      count += PER_PAGE
      read += PER_PAGE
      if (areDrafts || read < SEGMENT || !first || instantOf(first) === position.instant) continue
      isOver = false
      break
    }
    if (isOver) break
    segment = await older(list, since, { count, position, instantOf })
  }
  if (page.length > 0) yield page
}

/** Whether the response is not newer than the last one, which it then becomes. */
function isNext<Item extends Row>(
  row: Item,
  position: Position,
  instantOf: (row: Item) => string,
  onNewer: ((row: Item) => void) | undefined,
): boolean {
  const instant = instantOf(row)
  if (position.instant !== '' && instant > position.instant) {
    onNewer?.(row)
    return false
  }
  if (position.has(row.id, instant)) return false
  position.add(row.id, instant)
  return true
}

/** Returns the list from a page that begins before the responses that are left, inside an object, since it is thenable. */
async function older<Item extends Row>(
  list: ListRows<Item>,
  since: string | undefined,
  { count, position, instantOf }: { count: number; position: Position; instantOf: (row: Item) => string },
): Promise<{ rows: RowList<Item> }> {
  let page = Math.ceil(count / PER_PAGE)
  for (let step = 1; page > 1; step *= 2) {
    const rows = list(since, page)
    const first = await Promise.resolve(rows).catch((error: unknown) => {
      if (!isPastEnd(error, page)) throw error
    })
    const [row] = first?.data ?? []
    if (row && instantOf(row) > position.instant) return { rows }
    page -= step
  }
  return { rows: list(since, 1) }
}

/** Whether an error rejects a page past the end, as some deployments do (ENV-06). */
export function isPastEnd(error: unknown, page: number): boolean {
  return page > 1 && (error as { status?: unknown }).status === 422
}

/** Returns a text of an instant that sorts in order of time, up to nanoseconds. Undefined if it is not a date. */
export function sortableInstant(text: string | null): string | undefined {
  const ms = Date.parse(text ?? '')
  if (text === null || Number.isNaN(ms)) return undefined
  const [, fraction = ''] = /\.(\d+)/.exec(text) ?? []
  return `${new Date(ms).toISOString().slice(0, 19)}.${fraction.padEnd(9, '0')}`
}

/** How far a list has been read: the last instant, and which responses at this instant are done. */
export class Position {
  #instant: string
  #ids: Set<number>

  /** @param instant as {@link sortableInstant} writes it; '' before the first response */
  constructor(instant = '', ids: Iterable<number> = []) {
    this.#instant = instant
    this.#ids = new Set(ids)
  }

  /** The last instant; '' before the first response. */
  get instant(): string {
    return this.#instant
  }

  /** The responses at the last instant. */
  get ids(): Iterable<number> {
    return this.#ids
  }

  /** Whether the response at this instant is one of those that are done at the last instant. */
  has(id: number, instant: string): boolean {
    return instant === this.#instant && this.#ids.has(id)
  }

  /** Marks a response as done. The last instant becomes its own, if that is another. */
  add(id: number, instant: string): void {
    if (instant !== this.#instant) this.#ids.clear()
    this.#instant = instant
    this.#ids.add(id)
  }
}
