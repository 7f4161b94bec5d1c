import {
  type FormResponse,
  type KnownResponseStatus,
  type PageMeta,
  RESPONSE_STATUSES,
} from '@formwire/contract'
import { checkNames, checkSignal } from '../check-arguments.ts'
import { PaginationError, UsageError } from '../errors/client-errors.ts'
import { isoText, path } from '../http/path.ts'
import { oneOf } from '../options.ts'
import {
  type FetchRows,
  PageSize,
  startOf,
  type WalkedPage,
  walkPages,
  walkRows,
} from '../pagination/page-walk.ts'
import type { Requester } from '../requester.ts'
import { type DatedResponse, date, type FetchResponses, readBacklog } from './backlog.ts'
import type { PollState } from './checkpoint.ts'
import { compareInstants, type Instant, parseInstant } from './instant.ts'

/** Which responses of a form are walked, and in which order. */
export interface WalkOptions {
  /** `oldest`: from the oldest to the newest. `newest`: from the newest to the oldest. */
  order: 'oldest' | 'newest'
  /**
   * Where to begin: the position of a response, which is not yielded again, or a time (ISO 8601, UTC if it has no zone, or a Date),
   * inclusive. @default the end of the list that `order` names
   */
  from?: PollState | string | Date | undefined
  /** Where to end, inclusive: a time, or the time of a position. @default the other end of the list */
  until?: PollState | string | Date | undefined
  /**
   * `in_progress` for drafts. A draft has no position, since it moves to the front whenever it is saved; only the older one of `from` and
   * `until` applies, as a time of its last save. @default 'submitted'
   */
  status?: KnownResponseStatus | undefined
  /** Responses per request, at most 100 (ENV-06). A page that is larger than `maxResponseBytes` is halved, down to 1. @default 100 */
  perPage?: number | undefined
  /** Aborts the walk with an AbortError. */
  signal?: AbortSignal | undefined
  /** Called with each page that is read, before it is checked and its responses are yielded. Of a long list, some are read twice. */
  onPage?: ((page: { data: readonly FormResponse[]; meta: PageMeta }) => void) | undefined
}

/** A response of a walk. */
export interface WalkedResponse {
  readonly response: FormResponse
  /** Where the walk is once this response is handled. Plain JSON. `undefined` for drafts. */
  readonly position: PollState | undefined
}

const OPTIONS = [
  'order',
  'from',
  'until',
  'status',
  'perPage',
  'signal',
  'onPage',
] as const satisfies (keyof WalkOptions)[]

/** Pages up to which a list is read whole before the first response is yielded, oldest first. */
const SHORT_LIST = 10

/** See `formwire.responses.walk`. Validates the options at the call. */
export function walk(
  requester: Requester,
  formId: string,
  options: WalkOptions,
): AsyncGenerator<WalkedResponse, void, undefined> {
  checkNames('options', options, OPTIONS)
  checkSignal(options.signal)
  const order = oneOf('order', options.order, ['oldest', 'newest'])
  const status = oneOf('status', options.status ?? 'submitted', RESPONSE_STATUSES)
  const { perPage = 100, signal, onPage } = options
  if (!Number.isInteger(perPage) || perPage < 1 || perPage > 100)
    throw new UsageError(`"perPage" must be an integer from 1 to 100, got ${perPage}.`)
  const from = readPosition('from', options.from)
  const until = readPosition('until', options.until)
  if (status === 'in_progress') {
    const [older, newer] = order === 'oldest' ? ['from', 'until'] : ['until', 'from']
    if (
      options[newer as 'from'] !== undefined ||
      typeof (options[older as 'from'] as PollState)?.since === 'string'
    )
      throw new UsageError(
        `"${newer}" and positions do not apply to drafts, which move when they are saved; use a time as "${older}".`,
      )
  }
  const size = new PageSize(perPage)
  const endpoint = path`/forms/${formId}/responses`
  const fetch: FetchResponses = async (since, page, per_page) => {
    const query = { ...(status !== 'submitted' && { status }), since, page, per_page }
    const read = await requester.list<FormResponse>(
      { method: 'GET', path: endpoint, query, schema: 'response' },
      { signal },
    )
    onPage?.(read)
    if (status === 'submitted') requireNewestFirst(read, endpoint)
    return read
  }
  if (status !== 'submitted') return drafts(fetch, order, (order === 'oldest' ? from : until)?.since, size)
  const list = { fetch, endpoint, from, until, size }
  return order === 'oldest' ? oldest(list) : newest(list)
}

async function* drafts(
  fetch: FetchResponses,
  order: WalkOptions['order'],
  since: string | undefined,
  size: PageSize,
): AsyncGenerator<WalkedResponse, void, undefined> {
  const fetchPage: FetchRows<FormResponse> = (page, rows) => fetch(since, page, rows)
  const all: WalkedResponse[] = []
  for await (const rows of walkRows(fetchPage, await size.read(fetchPage, 0), true, size)) {
    const walked = rows.map((response) => ({ response, position: undefined }))
    if (order === 'newest') yield* walked
    else all.push(...walked)
  }
  yield* all.reverse()
}

/** What is walked of a list. */
interface List {
  fetch: FetchResponses
  endpoint: string
  from: PollState | undefined
  until: PollState | undefined
  size: PageSize
}

async function* oldest(list: List): AsyncGenerator<WalkedResponse, void, undefined> {
  const { from, until, size } = list
  const end = until && (parseInstant(until.since) as Instant)
  const trail = new Trail(from, 1)
  let expected = -1
  const fetch: FetchResponses = async (...query) => {
    const page = await list.fetch(...query)
    if (expected < 0) expected = page.meta.total
    return page
  }
  const backlog = { since: from?.since, size, span: 1, atOnce: SHORT_LIST }
  for await (const rows of readBacklog(fetch, trail, backlog)) {
    for (const row of rows) {
      if (end && compareInstants(row.at, end) > 0) return
      yield trail.add(row)
    }
  }
  await requireAll(list, from, trail, expected)
}

async function* newest(list: List): AsyncGenerator<WalkedResponse, void, undefined> {
  const { fetch, from, until, size } = list
  const fetchPage: FetchRows<FormResponse> = (page, rows) => fetch(until?.since, page, rows)
  const end = until && (parseInstant(until.since) as Instant)
  const trail = new Trail(from, -1)
  let expected = -1
  for await (const page of walkPages(fetchPage, await findPage(fetchPage, size, trail.at), size)) {
    for (const [index, row] of page.data.map(date).entries()) {
      // Newer ones have arrived meanwhile.
      if (trail.has(row.response.id, row.at)) continue
      if (end && compareInstants(row.at, end) < 0) return
      if (expected < 0) expected = page.meta.total - startOf(page) - index
      yield trail.add(row)
    }
  }
  await requireAll(list, until, trail, expected)
}

/** Finds the last page that begins with a newer response than `at`, or page 1. Everything else that is older follows it. */
async function findPage(
  fetch: FetchRows<FormResponse>,
  size: PageSize,
  at: Instant | undefined,
): Promise<WalkedPage<FormResponse>> {
  let found = await size.read(fetch, 0)
  let low = found.data.length
  let high = at ? found.meta.total : 0
  while (at && low < high) {
    const middle = Math.floor((low + high) / 2)
    const page = await size.readOrPastEnd(fetch, middle)
    const [row] = page.data
    if (row && compareInstants(date(row).at, at) > 0) {
      found = page
      low = Math.max(middle + 1, startOf(page) + page.data.length)
    } else high = startOf(page)
  }
  return found
}

/** The last instant of a walk, and the responses at this instant that were yielded. */
class Trail {
  at: Instant | undefined
  since: string | undefined
  /** Number of responses that were yielded, or are at the position where the walk began. */
  count = 0
  /** The newest instant of these, and how many are at this instant. */
  newest: Instant | undefined
  ties = 0
  #ids: Set<number>
  readonly #direction: 1 | -1

  /** @param direction 1 if later responses are newer, -1 if they are older */
  constructor(from: PollState | undefined, direction: 1 | -1) {
    this.at = from && parseInstant(from.since)
    this.since = from?.since
    this.#ids = new Set(from?.ids)
    this.#direction = direction
    if (direction < 0) return
    this.newest = this.at
    this.count = this.ties = this.size
  }

  /** Whether a response was yielded, or was before the start of the walk. */
  has(id: number, at: Instant): boolean {
    const order = this.at ? compareInstants(at, this.at) * this.#direction : 1
    return order < 0 || (order === 0 && this.#ids.has(id))
  }

  /** Number of responses at the last instant. */
  get size(): number {
    return this.#ids.size
  }

  add({ response, text, at }: DatedResponse): WalkedResponse {
    if (!this.at || compareInstants(this.at, at) !== 0) {
      this.at = at
      this.since = text
      this.#ids = new Set()
    }
    const order = this.newest ? compareInstants(at, this.newest) : 1
    if (order > 0) {
      this.newest = at
      this.ties = 0
    }
    this.count += 1
    if (order >= 0) this.ties += 1
    const ids = this.#ids.add(response.id)
    const since = this.since as string
    const count = ids.size
    // Computed on request: at one instant there may be many.
    return {
      response,
      get position(): PollState {
        return { version: 1, since, ids: [...ids].slice(0, count) }
      },
    }
  }
}

/** Responses later in a list that is not newest first (RESP-01) would be lost. @throws PaginationError */
function requireNewestFirst({ data }: WalkedPage<FormResponse>, endpoint: string): void {
  let before: Instant | undefined
  for (const { response, at } of data.map(date)) {
    if (before && compareInstants(at, before) > 0)
      throw disorder(endpoint, `response ${response.id} is newer than the one before it`)
    before = at
  }
}

/**
 * Compares the responses before the newest one that a walk has yielded with those that the list has at its end. One that is on a later
 * page than it should be has come too late. @throws PaginationError
 */
async function requireAll(
  { fetch, endpoint, size }: List,
  from: PollState | undefined,
  { newest, count, ties }: Trail,
  expected: number,
): Promise<void> {
  if (count >= expected || !newest) return
  const { data, meta } = await size.read((number, rows) => fetch(from?.since, number, rows), 0)
  const index = data.findIndex((row) => compareInstants(date(row).at, newest) < 0)
  const lacking = meta.total - index - count + ties
  if (index >= 0 && lacking > 0) throw disorder(endpoint, `${lacking} more on later pages`)
}

const disorder = (endpoint: string, why: string): PaginationError =>
  new PaginationError(`${endpoint} is not newest first: ${why}.`)

/** @throws UsageError */
function readPosition(name: string, value: PollState | string | Date | undefined): PollState | undefined {
  if (value === undefined) return undefined
  const state = typeof value === 'string' || value instanceof Date ? undefined : value
  const since = value instanceof Date ? isoText(value, name) : (state?.since ?? value)
  const ids = state ? state.ids : []
  if (
    typeof since !== 'string' ||
    !parseInstant(since) ||
    !Array.isArray(ids) ||
    !ids.every(Number.isSafeInteger)
  )
    throw new UsageError(
      `"${name}" must be a position of a walk, an ISO 8601 date or date-time, or a Date, got ${JSON.stringify(value)}.`,
    )
  return { version: 1, since, ids }
}
