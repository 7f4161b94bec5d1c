import type { PageMeta } from '@formwire/contract'
import { PaginationError } from './errors/pagination-error.ts'
import { isValidationError } from './errors/validation-error.ts'

/** A page as the walk sees it. */
export interface WalkedPage<Item> {
  data: Item[]
  meta: PageMeta
}

/** Times in a row that a page may equal page 1 before the list is taken to ignore `page`. */
const MAX_STRIKES = 2

/** Times in a row that a page inside `total` of a list at rest may be refused as past the end before the refusal is passed on. */
const MAX_REFUSALS = 3

/**
 * Pages of a changing list, newest row first, from `first` to the end, such that every row at or after the first page's first
 * row that exists all along is on one of them. Doubles are possible; dropping them is the caller's.
 *
 * A row put in at the front pushes others to later pages: they are met twice. A row taken out pulls others to earlier pages:
 * they would be skipped. Between two answers no more than `total before − total now` rows can have been pulled past the point
 * up to which everything is known, since every removal shows in `total` and every row put in at the front pushes back by one.
 * So the point is lowered by that much, and the walk goes on from the page that holds it.
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

  /** More pages than a list that ends can need: some are asked for twice while rows move. */
  const isEndless = (): boolean => fetched > 100 + (4 * largestTotal) / perPage

  /** Takes in a newer `total`: all rows before `known` in the newer list are known. */
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
      // How far the list had shrunk the refusal does not tell, and it may have grown again: only its beginning is certain.
      const newest = await fetch(1)
      // A list that was emptied and filled again may have the same length as before.
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
      throw new PaginationError(`${fetched} pages of a list of ${largestTotal}: it has no end.`)
    }
    const grown = page.meta.total - total
    observe(page.meta.total)
    perPage = page.meta.per_page

    // The same rows under another number, with no growth that could have pushed them there: compare with page 1 of now.
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

    // Between what is known and this page there may be rows: go back for them first, which also keeps the order.
    const start = startOf(page)
    if (start > known) continue
    known = Math.max(known, start + page.data.length)
    yield page
    if (isEnd(page, known)) return
  }
}

function ignoresPage(asked: number, got: number): PaginationError {
  return new PaginationError(`Asked for page ${asked}, got page ${got}: it must ignore "page".`)
}

function startOf({ meta }: WalkedPage<unknown>): number {
  return (meta.page - 1) * meta.per_page
}

/**
 * Whether nothing follows: the page is short (POLL-01), or everything that `total` counts is known, which spares a request for
 * a page past the end. A `total` below the rows that are plainly there is not believed.
 */
function isEnd(page: WalkedPage<unknown>, known: number): boolean {
  const { data, meta } = page
  const believable = meta.total >= startOf(page) + data.length
  return data.length < meta.per_page || (believable && known >= meta.total)
}

function sameRows(a: WalkedPage<{ id: unknown }>, b: WalkedPage<{ id: unknown }>): boolean {
  return (
    a.data.length > 0 &&
    a.data.length === b.data.length &&
    a.data.every((row, index) => row.id === b.data[index]?.id)
  )
}

/** Whether an error says that a page lies past the end, as a deployment may put it (ENV-06). */
function isPastEnd(error: unknown, page: number): boolean {
  return page > 1 && isValidationError(error) && (error.field === undefined || error.field === 'page')
}

/** A page, or, when it lies past the end, an empty one with the `total` of now. */
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
