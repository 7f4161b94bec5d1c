import type { FormResponse } from '@formwire/contract'
import { DecodeError } from '../errors/client-errors.ts'
import { fetchOrPastEnd, type WalkedPage, walkPages } from '../pagination/page-walk.ts'
import type { Cursor } from './cursor.ts'
import { compareInstants, type Instant, parseInstant } from './instant.ts'

/** Pages per block of a long backlog. Keeps memory constant at the cost of one extra page per block. */
export const BLOCK_PAGES = 25

/** A response with its instant. */
export interface DatedResponse {
  response: FormResponse
  /** `submitted_at` in the spelling of the service. */
  text: string
  at: Instant
}

/** Fetches one page of the responses since an instant. `page` starts at 1. */
export type FetchResponses = (since: string | undefined, page: number) => Promise<WalkedPage<FormResponse>>

/** New responses, oldest first. Complete for every instant before that of the newest row of the first page. */
export interface Block {
  rows: DatedResponse[]
  /** Whether the block began at the newest page, so that nothing is left after it. */
  newest: boolean
  /** Page that the block began at, in the list since `since`. */
  startPage: number
  /** Pages of that list. */
  pages: number
  /** Whether the walk met a response yielded earlier, which means that there is no gap after the checkpoint. */
  metYielded: boolean
}

/** Which block to read. */
export interface BlockQuery {
  since: string | undefined
  /** Page to begin at. Adjusted if the list is shorter or much longer than expected. */
  startPage: number
  /** Pages per block. */
  span: number
  /** Reads everything in one block, for the window of `lookbackMs`. */
  whole?: boolean
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
export async function readBlock(fetch: FetchResponses, cursor: Cursor, query: BlockQuery): Promise<Block> {
  const { since, span } = query
  const fetchPage = (page: number): Promise<WalkedPage<FormResponse>> => fetch(since, page)
  let startPage = query.startPage
  let first = await fetchOrPastEnd(fetchPage, startPage)
  while (!query.whole) {
    const pages = pagesOf(first)
    // Rows yielded earlier are on the oldest pages. Reading them costs requests but no memory.
    const fresh =
      startPage === 1
        ? Math.ceil((first.meta.total - cursor.size) / first.meta.per_page)
        : pages - startPage + 1
    const tooLong = startPage === 1 ? fresh > span : fresh > 2 * span
    if (!tooLong && (first.data.length > 0 || startPage === 1)) break
    startPage = Math.max(1, pages - span + 1)
    first = await fetchOrPastEnd(fetchPage, startPage)
  }

  const fresh = new Map<number, DatedResponse>()
  const start = startPage
  let ceiling: Instant | undefined
  let metYielded = false
  let pages = pagesOf(first)
  for await (const page of walkPages(fetchPage, first)) {
    pages = pagesOf(page)
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
  return { rows, newest: start === 1, startPage: start, pages, metYielded }
}

/** Returns the number of pages of a list, at least 1. */
export function pagesOf({ meta }: WalkedPage<unknown>): number {
  return Math.max(1, Math.ceil(meta.total / meta.per_page))
}

function date(response: FormResponse): DatedResponse {
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
export async function findGap(since: string, fetch: FetchResponses): Promise<Gap | undefined> {
  const fetchPage = (page: number): Promise<WalkedPage<FormResponse>> => fetch(undefined, page)
  let last = await fetchPage(1)
  // Limited, because the list may change meanwhile or ignore `page`.
  for (let tries = 0; tries < 5 && last.meta.page !== pagesOf(last); tries += 1) {
    last = await fetchOrPastEnd(fetchPage, pagesOf(last))
  }
  const oldest = last.data.at(-1)?.submitted_at ?? null
  const gone =
    oldest === null
      ? last.meta.total === 0
      : compareInstants(parseInstant(oldest) as Instant, parseInstant(since) as Instant) > 0
  return gone ? { since, oldest } : undefined
}
