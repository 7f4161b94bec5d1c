import type { FormResponse } from '@formwire/contract'
import { isPastEnd, type Position } from '@formwire/internal/newest-first'
import type { PollState } from '@formwire/sdk'
import type { ItemList, ItemPage } from './formats.ts'
import { instantOf, positionOf } from './position.ts'

/** Responses newest first, from one page on: its first page when awaited, every response when iterated. */
export type ResponseList = ItemList<FormResponse>

/** One page of responses. */
export type ResponsePage = ItemPage<FormResponse>

/** Lists the responses since an instant, from a page on. */
export type ListFrom = (since: string | undefined, page: number) => ResponseList

/** Pages of new responses per block, at most. Each block has twice as many as the one before. */
const MAX_SPAN = 16

/** Attempts to find the start of a block in a list that changes. */
const MAX_ATTEMPTS = 10

/** Where to begin. */
export interface Start {
  since: string | undefined
  /** Position after an earlier run; `since` is then that of the state. */
  state: PollState | undefined
  /** The list from page 1. */
  newest: ResponseList
  /** Pages of the first block. @default 1 */
  span?: number
}

/**
 * Yields every response once, oldest first, in blocks: the list of the API is newest first. A block is read from a page in the
 * middle of the list towards older responses, where no change of the list can hide one, until the previous block has been
 * met. Its newest response, as first read, is where the next block ends. The first block has one page unless `span` says otherwise,
 * so that the first responses are there soon. `poll` of the SDK yields nothing before 25 pages and has no status filter.
 *
 * @param onRead called for each response as soon as it is read, which is before it is yielded.
 */
export async function* oldestFirst(
  list: ListFrom,
  { since, state, newest, span: firstSpan = 1 }: Start,
  onRead: () => void,
): AsyncGenerator<FormResponse[]> {
  const position = positionOf(state)
  const pages = pagesOf(await newest)
  let from = state?.since ?? since
  let span = firstSpan
  // Without a position there is no earlier block to meet: the oldest pages are enough.
  const page = pages - span + (state ? 0 : 1)
  let block = page <= 1 ? await opened(newest, 1) : await open(list, from, page, span)
  for (;;) {
    const { rows, end } = await read(block, position, onRead)
    const hasMoved = end !== undefined && instantOf(end) > position.instant
    for (const row of rows) position.add(row.id, instantOf(row))
    if (rows.length > 0) yield rows
    if (block.page === 1) return
    if (hasMoved) {
      from = end.submitted_at ?? undefined
      span = Math.min(MAX_SPAN, span * 2)
      block = await open(list, from, block.page - span, span)
    } else {
      // Nothing but responses at one instant: only a longer block can reach others.
      span *= 2
      block = await open(list, from, block.pages - span, span)
    }
  }
}

/** A block before it is read. */
interface OpenBlock {
  list: ResponseList
  first: ResponsePage
  /** Number of its first page, and of the last page of the list. */
  page: number
  pages: number
}

async function opened(list: ResponseList, page: number): Promise<OpenBlock> {
  const first = await list
  return { list, first, page, pages: pagesOf(first) }
}

/** Opens a block of `span` pages at `page`, or elsewhere if the list has become shorter or much longer. */
async function open(
  list: ListFrom,
  since: string | undefined,
  page: number,
  span: number,
): Promise<OpenBlock> {
  let at = Math.max(1, page)
  for (let attempt = 1; ; attempt += 1) {
    const block = await opened(list(since, at), at).catch((error: unknown) => {
      if (!isPastEnd(error, at)) throw error
    })
    const pages = block?.pages ?? pagesOf(await list(since, 1))
    const isThere = block !== undefined && (at === 1 || block.first.data.length > 0)
    if (isThere && (pages - at <= 2 * span || attempt > MAX_ATTEMPTS)) return block
    at = attempt > MAX_ATTEMPTS ? 1 : Math.max(1, pages - span)
  }
}

/** Returns the new responses of a block, oldest first, and its newest response as first read. */
async function read(
  { list, first }: OpenBlock,
  position: Position,
  onRead: () => void,
): Promise<{ rows: FormResponse[]; end: FormResponse | undefined }> {
  const [end] = first.data
  if (!end) return { rows: [], end }
  const last = instantOf(end)
  const rows: { row: FormResponse; instant: string }[] = []
  for await (const row of list) {
    const instant = instantOf(row)
    // A service may round `since` down, and responses may have arrived meanwhile: the next block has those.
    if (instant < position.instant || instant > last || position.has(row.id, instant)) continue
    rows.push({ row, instant })
    onRead()
  }
  rows.reverse()
  rows.sort((one, other) => (one.instant < other.instant ? -1 : Number(one.instant > other.instant)))
  return { rows: rows.map(({ row }) => row), end }
}

/** Returns the number of pages of a list, at least 1. */
export function pagesOf({ meta }: ResponsePage): number {
  return Math.max(1, Math.ceil(meta.total / meta.per_page))
}
