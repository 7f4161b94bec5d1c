import type { FormResponse } from '@formwire/contract'
import { DecodeError } from '../errors/decode-error.ts'
import { fetchOrPastEnd, type WalkedPage, walkPages } from '../page-walk.ts'
import type { Cursor } from './cursor.ts'
import { compareInstants, type Instant, parseInstant } from './instant.ts'

/** Pages read in one go from the far end of a long backlog: memory stays flat, the seam costs one page in as many. */
export const BLOCK_PAGES = 25

/** A response with its instant. */
export interface Dated {
  response: FormResponse
  /** `submitted_at` as the service wrote it. */
  text: string
  at: Instant
}

/** Fetches one page of the responses since an instant; `page` from 1. */
export type FetchResponses = (since: string | undefined, page: number) => Promise<WalkedPage<FormResponse>>

/** Responses not given before, oldest first: complete for every instant before that of the newest row the block began at. */
export interface Block {
  rows: Dated[]
  /** Whether the block began at the newest page: nothing is left when it has been given. */
  newest: boolean
  /** Page of the list under `since` that the block began at. */
  startPage: number
  /** Pages of that list. */
  pages: number
  /** Whether the walk met a response that had been given before: the checkpoint joins on to what the service still has. */
  metGiven: boolean
}

/** Which block to read. */
export interface BlockQuery {
  since: string | undefined
  /** Page to begin at; moved when the list turns out shorter or much longer. */
  startPage: number
  /** Pages that a block should hold. */
  span: number
  /** Reads everything in one block, whatever its length: for the window of `lookbackMs`. */
  whole?: boolean
}

/**
 * Reads one block: from its start page to the far end, always towards older rows.
 *
 * Going the other way would lose rows: a removal of an older row hides, in `total`, a row put in at the front, and that one
 * pushes a row from the page to be read to the one just read. So a long backlog is cut into blocks from its far end, each
 * walked forward, where {@link walkPages} is safe.
 *
 * The block ends, towards newer rows, at the newest row of the first page as it was first read. Newer ones met later stay for
 * the next block: between them others may be missing.
 */
export async function readBlock(fetch: FetchResponses, cursor: Cursor, query: BlockQuery): Promise<Block> {
  const { since, span } = query
  const fetchPage = (page: number): Promise<WalkedPage<FormResponse>> => fetch(since, page)
  let startPage = query.startPage
  let first = await fetchOrPastEnd(fetchPage, startPage)
  while (!query.whole) {
    const pages = pagesOf(first)
    // Rows given before sit at the far end; reading past them costs requests, not memory.
    const fresh =
      startPage === 1
        ? Math.ceil((first.meta.total - cursor.size) / first.meta.per_page)
        : pages - startPage + 1
    const tooLong = startPage === 1 ? fresh > span : fresh > 2 * span
    if (!tooLong && (first.data.length > 0 || startPage === 1)) break
    startPage = Math.max(1, pages - span + 1)
    first = await fetchOrPastEnd(fetchPage, startPage)
  }

  const fresh = new Map<number, Dated>()
  const start = startPage
  let ceiling: Instant | undefined
  let metGiven = false
  let pages = pagesOf(first)
  for await (const page of walkPages(fetchPage, first)) {
    pages = pagesOf(page)
    const dated = page.data.map(date)
    // The newest row of the first page, whatever order the service gives ties in.
    ceiling ??= dated.reduce<Instant | undefined>(
      (newest, { at }) => (newest && compareInstants(newest, at) >= 0 ? newest : at),
      undefined,
    )
    if (!ceiling) continue
    for (const row of dated) {
      if (cursor.has(row.response.id, row.at)) metGiven = true
      else if (compareInstants(row.at, ceiling) <= 0) fresh.set(row.response.id, row)
    }
  }
  const rows = [...fresh.values()].sort(
    (a, b) => compareInstants(a.at, b.at) || a.response.id - b.response.id,
  )
  return { rows, newest: start === 1, startPage: start, pages, metGiven }
}

/** Pages of a list, at least one. */
export function pagesOf({ meta }: WalkedPage<unknown>): number {
  return Math.max(1, Math.ceil(meta.total / meta.per_page))
}

function date(response: FormResponse): Dated {
  const text = response.submitted_at ?? ''
  const at = parseInstant(text)
  if (at) return { response, text, at }
  throw new DecodeError(`Response ${response.id} carries no readable submitted_at.`, { status: 200 })
}
