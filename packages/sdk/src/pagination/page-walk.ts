import type { PageMeta } from '@formwire/contract'
import { isValidationError } from '../errors/api-errors.ts'
import { isResponseTooLargeError, PaginationError } from '../errors/client-errors.ts'

/** A page of a list. */
export interface WalkedPage<Item> {
  data: Item[]
  meta: PageMeta
}

/** Fetches a page of `perPage` rows. `page` starts at 1. */
export type FetchRows<Item> = (page: number, perPage: number) => Promise<WalkedPage<Item>>

/** Consecutive pages that may equal page 1 before the list is considered to ignore `page`. */
const MAX_STRIKES = 2

/** Consecutive rejections of a page within `total` of an unchanged list before the error is thrown. */
const MAX_REFUSALS = 3

/** Full pages of a smaller size, because larger ones exceeded `maxResponseBytes`, before twice the size is tried again. */
const SMALL_PAGES = 8

/** Rows per page of a list: halved, down to 1, when a page is larger than `maxResponseBytes`, and doubled again after some full pages. */
export class PageSize {
  rows: number
  /** Number of the page that was requested last. */
  number = 1
  #largest: number
  #full = 0

  constructor(largest: number) {
    this.rows = largest
    this.#largest = largest
  }

  /** Whether larger pages did not fit. */
  get isSmall(): boolean {
    return this.rows < this.#largest
  }

  /** Reads the page with the row at an index. @throws PaginationError if the list ignores `page` */
  async read<Item>(fetch: FetchRows<Item>, index: number): Promise<WalkedPage<Item>> {
    for (;;) {
      this.number = Math.floor(index / this.rows) + 1
      try {
        const page = await fetch(this.number, this.rows)
        if (page.meta.page !== this.number) throw ignoresPage(this.number, page.meta.page)
        this.#adapt(page)
        return page
      } catch (error) {
        if (this.rows === 1 || !isResponseTooLargeError(error)) throw error
        this.rows >>= 1
        this.#full = 0
      }
    }
  }

  #adapt({ data, meta }: WalkedPage<unknown>): void {
    // A service may have a smaller limit.
    if (meta.per_page < this.rows) this.rows = this.#largest = meta.per_page
    if (data.length >= this.rows) this.#full += 1
    if (this.#full < SMALL_PAGES) return
    this.#full = 0
    this.rows = Math.min(this.#largest, this.rows * 2)
  }

  /** Reads the page with the row at an index. If it is past the end, returns an empty page with the current `total`. */
  async readOrPastEnd<Item>(fetch: FetchRows<Item>, index: number): Promise<WalkedPage<Item>> {
    try {
      return await this.read(fetch, index)
    } catch (error) {
      const page = this.number
      if (!isPastEnd(error, page)) throw error
      const { meta } = await this.read(fetch, 0)
      return { data: [], meta: { ...meta, page } }
    }
  }
}

/** Times that a list is read from its front until nothing has moved meanwhile. */
const MAX_PASSES = 10

/**
 * Yields the pages of a changing list, newest row first, from `first` to the end. Every row from the first row of `first` on that
 * exists throughout the walk is on one of them. Rows may be repeated; the caller must skip duplicates.
 *
 * An inserted row moves others to later pages, where they are repeated. A removed row moves others to earlier pages, where they would
 * be skipped. Between two HTTP responses, at most `total before − total now` rows can have moved before `known`, the index up to which
 * all rows are known: each removal lowers `total`, and each insertion at the front moves a row back. The walk therefore lowers `known`
 * by that difference and continues from the page that contains it. This holds for any size of a page.
 *
 * What cannot be known: a row that appears after `known` (imported or restored) while another one before it is removed leaves `total`
 * unchanged, and hides one row.
 */
export async function* walkPages<Item extends { id: unknown }>(
  fetch: FetchRows<Item>,
  first: WalkedPage<Item>,
  size: PageSize = new PageSize(first.meta.per_page),
): AsyncGenerator<WalkedPage<Item>, void, undefined> {
  let total = first.meta.total
  let smallest = first.meta.per_page
  let known = startOf(first) + first.data.length
  let fetched = 1
  let largestTotal = total
  let strikes = 0
  let refusals = 0
  let previous = first
  let front = first

  /** Whether more pages were read than a finite list needs, including those read twice while rows moved. */
  const isEndless = (): boolean => fetched > 100 + (4 * largestTotal) / smallest

  /** Updates `total` and `known` for a newer version of the list. */
  const observe = (newer: number): void => {
    known = Math.max(0, known - Math.max(0, total - newer))
    total = newer
    largestTotal = Math.max(largestTotal, newer)
  }

  yield first
  if (isEnd(first, known)) return

  for (;;) {
    const page = await size.read(fetch, known).catch((error: unknown) => {
      if (!isPastEnd(error, size.number) || refusals >= MAX_REFUSALS || isEndless()) throw error
    })
    const { number } = size
    smallest = Math.min(smallest, size.rows)
    fetched += 1
    if (!page) {
      // The list has shrunk by an unknown number of rows and may have grown again: start over from its first page.
      const newest = await size.read(fetch, 0)
      // A list that was emptied and refilled may have the same length as before.
      refusals = newest.meta.total === total && sameRows(newest, front) ? refusals + 1 : 0
      observe(newest.meta.total)
      known = newest.data.length
      front = newest
      yield newest
      if (isEnd(newest, known)) return
      continue
    }
    if (isEndless()) {
      throw new PaginationError(`Read ${fetched} pages of a list of ${largestTotal} items; it never ends.`)
    }
    const grown = page.meta.total - total
    observe(page.meta.total)

    // The same rows as on the previous page, without insertions that could have moved them: compare with the current page 1.
    if (
      number > 1 &&
      page.meta.page !== previous.meta.page &&
      grown < page.data.length &&
      sameRows(page, previous)
    ) {
      const again = await size.read(fetch, 0)
      fetched += 1
      observe(again.meta.total)
      strikes = sameRows(page, again) ? strikes + 1 : 0
      if (strikes > MAX_STRIKES) {
        throw ignoresPage(number, 1)
      }
      if (strikes > 0) continue
    }
    strikes = 0
    previous = page

    // There may be unknown rows before this page: read them first, which also keeps the order.
    const start = startOf(page)
    if (start > known) continue
    known = Math.max(known, start + page.data.length)
    yield page
    if (isEnd(page, known)) return
  }
}

function ignoresPage(requested: number, got: number): PaginationError {
  return new PaginationError(`Requested page ${requested}, got page ${got}; the list ignores "page".`)
}

/** Returns the index of the first row of a page. */
export function startOf({ meta }: WalkedPage<unknown>): number {
  return (meta.page - 1) * meta.per_page
}

/**
 * Whether nothing follows: the page is short (POLL-01), or all rows of `total` are known, which saves a request past the end. A
 * `total` smaller than the number of rows read is not trusted.
 */
function isEnd(page: WalkedPage<unknown>, known: number): boolean {
  const { data, meta } = page
  const trusted = meta.total >= startOf(page) + data.length
  return data.length < meta.per_page || (trusted && known >= meta.total)
}

function sameRows(a: WalkedPage<{ id: unknown }>, b: WalkedPage<{ id: unknown }>): boolean {
  return (
    a.data.length > 0 &&
    a.data.length === b.data.length &&
    a.data.every((row, index) => row.id === b.data[index]?.id)
  )
}

/** Whether an error rejects a page past the end, as some deployments do (ENV-06). */
function isPastEnd(error: unknown, page: number): boolean {
  return page > 1 && isValidationError(error) && (error.field === undefined || error.field === 'page')
}

/**
 * Yields the rows of a list, each once, from `first` to the end, in the parts in which they are read.
 *
 * @param isMoving whether a row that changes moves to the front, as forms (FORM-01) and drafts (RESP-02) do. The walk misses one that
 *   moves there from a later page, which shows: every row in between moves back by one, so that rows are repeated or `total` changes.
 *   The list is then read again from page 1 up to a row of the former page 1 that has not moved: whatever has moved since is before
 *   it. A list that begins at a later page is not read again.
 */
export async function* walkRows<Item extends { id: unknown }>(
  fetch: FetchRows<Item>,
  first: WalkedPage<Item>,
  isMoving: boolean,
  size: PageSize = new PageSize(first.meta.per_page),
): AsyncGenerator<Item[], void, undefined> {
  const seen = new Set<unknown>()
  const unmoved = new Map<unknown, string>()
  let start = first
  for (let pass = 1; ; pass += 1) {
    const before = seen.size
    const read = new Set<unknown>()
    let isQuiet = true
    let lacks = false
    for await (const { data, meta } of walkPages(fetch, start, size)) {
      isQuiet &&= meta.total === start.meta.total && !data.some(({ id }) => read.has(id))
      for (const { id } of data) read.add(id)
      const lastFresh = data.findLastIndex(({ id }) => !seen.has(id))
      const fresh = data.filter(({ id }) => !seen.has(id))
      for (const { id } of fresh) seen.add(id)
      if (fresh.length > 0) yield fresh
      lacks = seen.size < meta.total
      if (!lacks && data.some((row, at) => at > lastFresh && unmoved.get(row.id) === versionOf(row))) break
    }
    if (!isMoving || first.meta.page > 1 || (isQuiet && !lacks)) return
    const isComplete = seen.size === before
    // A total that no pass reaches is not trusted.
    if (isComplete && (lacks || pass === MAX_PASSES)) return
    if (pass === MAX_PASSES)
      throw new PaginationError(`Read a list ${pass} times; its rows move faster than they can be read.`)
    unmoved.clear()
    for (const row of start.data) unmoved.set(row.id, versionOf(row))
    start = await size.read(fetch, 0)
  }
}

/** Returns a text that changes when a row moves. The count of a form changes without a move (FORM-10). */
function versionOf(row: { id: unknown; updated_at?: string }): string {
  return row.updated_at ?? JSON.stringify(row)
}
