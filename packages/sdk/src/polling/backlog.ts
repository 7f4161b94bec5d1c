import type { FormResponse } from '@formwire/contract'
import { DecodeError } from '../errors/client-errors.ts'
import {
  type FetchRows,
  type PageSize,
  startOf,
  type WalkedPage,
  walkPages,
} from '../pagination/page-walk.ts'
import type { Cursor } from './cursor.ts'
import { compareInstants, type Instant, parseInstant } from './instant.ts'

/** Pages per block of a long backlog. Keeps memory constant at the cost of one extra page per block. */
const BLOCK_PAGES = 25

/** The same for responses so long that a page of the requested size is larger than `maxResponseBytes`. */
const LONG_BLOCK_PAGES = 3

/** A response with its instant. */
export interface DatedResponse {
  response: FormResponse
  /** `submitted_at` in the spelling of the service. */
  text: string
  at: Instant
}

/** Fetches one page of the responses since an instant. `page` starts at 1. */
export type FetchResponses = (
  since: string | undefined,
  page: number,
  perPage: number,
) => Promise<WalkedPage<FormResponse>>

/** New responses, oldest first. Complete for every instant before that of the newest row of the first page. */
export interface Block {
  rows: DatedResponse[]
  /** Index of the row that the block began at, in the list since `since`: 0 if nothing is left after it. */
  start: number
  /** Rows of that list. */
  total: number
  /** Whether the walk met a response yielded earlier, which means that there is no gap after the checkpoint. */
  metYielded: boolean
}

/** What was yielded already. */
interface Yielded extends Pick<Cursor, 'since' | 'size' | 'has'> {
  sinceWithLookback?: Cursor['sinceWithLookback']
}

/** Which block to read. */
export interface BlockQuery {
  since: string | undefined
  /** Index of the row to begin at. Adjusted if the list is shorter or much longer than expected. */
  start: number
  /** Pages per block. */
  span: number
  /** Pages up to which a list is read in one block. @default span */
  atOnce?: number | undefined
}

/** What is read of a list. */
export interface Backlog {
  /** Where to begin if the cursor has no position. */
  since: string | undefined
  /** Rows per page. */
  size: PageSize
  /** Whether the window of the cursor's lookback is read as well. */
  looksBack?: boolean
  /** Pages of the first block, if the list has more than `atOnce`; each block has twice as many as the one before. @default the most */
  span?: number
  /** As in {@link BlockQuery}. */
  atOnce?: number
  /** Called with the first block, which includes the oldest page. */
  onFirst?: (block: Block) => Promise<void>
}

/** Yields every available response that the cursor does not have, oldest first. The caller adds them to the cursor. */
export async function* readBacklog(
  fetch: FetchResponses,
  cursor: Yielded,
  { since: initial, size, looksBack, span: first = BLOCK_PAGES, atOnce, onFirst }: Backlog,
): AsyncGenerator<DatedResponse[], void, undefined> {
  const limited = (pages: number): number => Math.min(pages, size.isSmall ? LONG_BLOCK_PAGES : BLOCK_PAGES)
  // A short list is read together with the lookback window. For a long backlog, the window is read last.
  let since = cursor.sinceWithLookback ?? cursor.since ?? initial
  let span = limited(first)
  let block = await readBlock(fetch, cursor, { since, start: 0, span, atOnce }, size)
  await onFirst?.(block)
  yield block.rows
  if (block.start === 0) return
  while (block.start > 0) {
    // With the new `since`, the list ends about where this block began. If all rows were ties, `since` is unchanged, and the next
    // block must be longer to reach new rows.
    const next = cursor.since ?? initial
    const moved = next !== since
    since = next
    span = moved ? limited(span * 2) : span * 2
    const start = Math.max(0, (moved ? block.start : block.total) - span * size.rows)
    block = await readBlock(fetch, cursor, { since, start, span }, size)
    yield block.rows
  }
  if (!looksBack) return
  since = cursor.sinceWithLookback
  yield (await readBlock(fetch, cursor, { since, start: 0, span, atOnce: Number.POSITIVE_INFINITY }, size))
    .rows
}

/**
 * Reads one block, from its start page to the oldest page.
 *
 * Reading towards newer rows could lose some: if an older row is removed while a new one is inserted, `total` does not change, but
 * the insertion moves a row from the next page to the page just read. A long backlog is therefore split into blocks, oldest first,
 * and each block is read towards older rows, where {@link walkPages} is safe.
 *
 * The newest row of the first page, as first read, limits the block. Newer rows found later are left to the next block, because
 * rows between them may be missing.
 */
export async function readBlock(
  fetch: FetchResponses,
  cursor: Yielded,
  { since, start, span, atOnce = 0 }: BlockQuery,
  size: PageSize,
): Promise<Block> {
  const fetchPage: FetchRows<FormResponse> = (page, rows) => fetch(since, page, rows)
  let first = await size.readOrPastEnd(fetchPage, start)
  let empty = 0
  for (;;) {
    const { total, per_page } = first.meta
    const isNewest = startOf(first) === 0
    // Rows yielded earlier are on the oldest pages. Reading them costs requests but no memory.
    const fresh = Math.ceil((total - (isNewest ? cursor.size : startOf(first))) / per_page)
    const most = isNewest ? Math.max(span, size.isSmall && Number.isFinite(atOnce) ? 0 : atOnce) : 2 * span
    if (fresh <= most && (first.data.length > 0 || isNewest)) break
    if (size.isSmall) span = Math.min(span, LONG_BLOCK_PAGES)
    // A total that is larger than the list would lead to the same empty page for ever.
    if (first.data.length === 0) empty += 1
    if (empty > 1) span *= 2
    first = await size.readOrPastEnd(fetchPage, Math.max(0, (pagesOf(first) - span) * per_page))
  }

  const fresh = new Map<number, DatedResponse>()
  let ceiling: Instant | undefined
  let metYielded = false
  let { total } = first.meta
  for await (const page of walkPages(fetchPage, first, size)) {
    total = page.meta.total
    const dated = page.data.map(date)
    // The newest row of the first page, in any order of ties.
    ceiling ??= dated
      .map(({ at }) => at)
      .sort(compareInstants)
      .at(-1)
    for (const row of dated) {
      if (cursor.has(row.response.id, row.at)) metYielded = true
      else if (compareInstants(row.at, ceiling as Instant) <= 0) fresh.set(row.response.id, row)
    }
  }
  const rows = [...fresh.values()].sort(
    (a, b) => compareInstants(a.at, b.at) || a.response.id - b.response.id,
  )
  return { rows, start: startOf(first), total, metYielded }
}

/** Returns the number of pages of a list, at least 1. */
export function pagesOf({ meta }: WalkedPage<unknown>): number {
  return Math.max(1, Math.ceil(meta.total / meta.per_page))
}

/** @throws DecodeError if it has no instant */
export function date(response: FormResponse): DatedResponse {
  const text = response.submitted_at ?? ''
  const at = parseInstant(text)
  if (at) return { response, text, at }
  throw new DecodeError(`Response ${response.id} has no valid submitted_at.`, { status: 200 })
}

/** Every response that the service still has is newer than the checkpoint. */
export interface Gap {
  /** Newest instant of the checkpoint, in the spelling of the service. */
  since: string
  /** Oldest `submitted_at` that the service still has, or `null` if it has no responses. Responses in between may be lost. */
  oldest: string | null
}

/**
 * Returns the gap between the checkpoint and the oldest response of the service, if there is one. Called only if no response of the
 * checkpoint was listed again, which also happens when a single response was deleted.
 */
export async function findGap(
  since: string,
  fetch: FetchResponses,
  size: PageSize,
): Promise<Gap | undefined> {
  const fetchPage: FetchRows<FormResponse> = (page, rows) => fetch(undefined, page, rows)
  let last = await size.read(fetchPage, 0)
  // Limited, because the list may change meanwhile.
  for (let tries = 0; tries < 5 && last.meta.page !== pagesOf(last); tries += 1) {
    last = await size.readOrPastEnd(fetchPage, last.meta.total - 1)
  }
  const oldest = last.data.at(-1)?.submitted_at ?? null
  const gone =
    oldest === null
      ? last.meta.total === 0
      : compareInstants(parseInstant(oldest) as Instant, parseInstant(since) as Instant) > 0
  return gone ? { since, oldest } : undefined
}
