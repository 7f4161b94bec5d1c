import type { PageMeta } from '@formwire/contract'
import { isValidationError } from '../errors/api-errors.ts'
import { PaginationError } from '../errors/client-errors.ts'

/** A page of a list. */
export interface WalkedPage<Item> {
  data: Item[]
  meta: PageMeta
}

/** Consecutive pages that may equal page 1 before the list is considered to ignore `page`. */
const MAX_STRIKES = 2

/** Consecutive rejections of a page within `total` of an unchanged list before the error is thrown. */
const MAX_REFUSALS = 3

/**
 * Yields the pages of a changing list, newest row first, from `first` to the end. Every row from the first row of `first` on that
 * exists throughout the walk is on one of them. Rows may be repeated; the caller must skip duplicates.
 *
 * An inserted row moves others to later pages, where they are repeated. A removed row moves others to earlier pages, where they would
 * be skipped. Between two HTTP responses, at most `total before − total now` rows can have moved before `known`, the index up to which
 * all rows are known: each removal lowers `total`, and each insertion at the front moves a row back. The walk therefore lowers `known`
 * by that difference and continues from the page that contains it.
 */
export async function* walkPages<Item extends { id: unknown }>(
  fetch: (page: number) => Promise<WalkedPage<Item>>,
  first: WalkedPage<Item>,
): AsyncGenerator<WalkedPage<Item>, void, undefined> {
  let total = first.meta.total
  let perPage = first.meta.per_page
  let known = startOf(first) + first.data.length
  let fetched = 1
  let largestTotal = total
  let strikes = 0
  let refusals = 0
  let previous = first
  let front = first

  /** Whether more pages were read than a finite list needs, including those read twice while rows moved. */
  const isEndless = (): boolean => fetched > 100 + (4 * largestTotal) / perPage

  /** Updates `total` and `known` for a newer version of the list. */
  const observe = (newer: number): void => {
    known = Math.max(0, known - Math.max(0, total - newer))
    total = newer
    largestTotal = Math.max(largestTotal, newer)
  }

  yield first
  if (isEnd(first, known)) return

  for (;;) {
    const number = Math.floor(known / perPage) + 1
    const page = await fetch(number).catch((error: unknown) => {
      if (!isPastEnd(error, number) || refusals >= MAX_REFUSALS || isEndless()) throw error
    })
    fetched += 1
    if (!page) {
      // The list has shrunk by an unknown number of rows and may have grown again: start over from its first page.
      const newest = await fetch(1)
      // A list that was emptied and refilled may have the same length as before.
      refusals = newest.meta.total === total && sameRows(newest, front) ? refusals + 1 : 0
      observe(newest.meta.total)
      known = newest.data.length
      front = newest
      yield newest
      if (isEnd(newest, known)) return
      continue
    }
    if (page.meta.page !== number) {
      throw ignoresPage(number, page.meta.page)
    }
    if (isEndless()) {
      throw new PaginationError(`Read ${fetched} pages of a list of ${largestTotal} items; it never ends.`)
    }
    const grown = page.meta.total - total
    observe(page.meta.total)
    perPage = page.meta.per_page

    // The same rows as on the previous page, without insertions that could have moved them: compare with the current page 1.
    if (
      number > 1 &&
      page.meta.page !== previous.meta.page &&
      grown < page.data.length &&
      sameRows(page, previous)
    ) {
      const again = await fetch(1)
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

function startOf({ meta }: WalkedPage<unknown>): number {
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

/** Fetches a page. If it is past the end, returns an empty page with the current `total`. */
export async function fetchOrPastEnd<Item>(
  fetch: (page: number) => Promise<WalkedPage<Item>>,
  number: number,
): Promise<WalkedPage<Item>> {
  try {
    return await fetch(number)
  } catch (error) {
    if (!isPastEnd(error, number)) throw error
    const { meta } = await fetch(1)
    return { data: [], meta: { ...meta, page: number } }
  }
}
