import { openFitting } from '@formwire/internal/fitting-pages'
import { onAbort } from '@formwire/internal/on-abort'
import type { PagePromise } from '@formwire/sdk'
import { endOf } from '../deadline.ts'
import { invalidArgument } from '../failures.ts'
import { fittingOf } from '../result.ts'

const PER_PAGE = 100

/** Lists that are kept. A client reads one or two at a time. */
const MAX_LISTS = 8

/** Where to read a list on, and what of it. */
interface PageRequest<Item extends { id: unknown }, Shown> {
  /** Name and filters of the list. A cursor is valid for the same ones only. */
  of: unknown
  cursor: string | undefined
  limit: number
  signal: AbortSignal
  /** Starts the list with pages of this size. */
  open(signal: AbortSignal, perPage: number): PagePromise<Item>
  show(item: Item): Shown
}

interface Walk {
  of: string
  /** Undefined until the list is opened. */
  items?: AsyncIterator<unknown>
  /** Items of the whole list, when it was begun. */
  total: number
  /** Items that were read and not returned. */
  ahead: unknown[]
  /** Ends the requests of the list. */
  controller: AbortController
}

/**
 * Reads lists of the service over several calls with the pagination of the SDK: items that move while others arrive or are deleted
 * are neither repeated nor skipped.
 */
export class ListWalks {
  /** By the cursor of the next page, which is valid once. */
  readonly #walks = new Map<string, Walk>()
  readonly #newCursor: () => string
  readonly #shown: (error: unknown) => object

  /** @param shown Returns what is shown of an error */
  constructor(newCursor: () => string, shown: (error: unknown) => object) {
    this.#newCursor = newCursor
    this.#shown = shown
  }

  /** Returns the next page. @throws Failure `invalid_argument` for a cursor of another list; the errors of the client */
  async page<Item extends { id: unknown }, Shown>(request: PageRequest<Item, Shown>) {
    const { cursor, limit, signal, open, show } = request
    const walk = this.#walkOf(cursor, JSON.stringify(request.of))
    const { controller, ahead } = walk
    const forget = onAbort(signal, () => controller.abort(signal.reason))
    let end: unknown
    try {
      if (!walk.items) {
        const opened = await openFitting(PER_PAGE, (perPage) => open(controller.signal, perPage))
        walk.total = opened.first.meta.total
        walk.items = opened.list[Symbol.asyncIterator]()
      }
      // One more than asked for, to know whether a page follows.
      while (ahead.length <= limit) {
        const { done, value } = await walk.items.next()
        if (done) break
        ahead.push(value)
      }
    } catch (error) {
      // The list has ended with the error.
      if (ahead.length === 0) throw error
      end = endOf(error, signal)
    } finally {
      forget()
    }
    const items = fittingOf(ahead.slice(0, limit).map((item) => show(item as Item)))
    const { total } = walk
    if (end !== undefined) {
      const incomplete = { ...this.#shown(end), note: 'the list ends here: begin again without cursor' }
      return { items, total, next_cursor: null, incomplete }
    }
    ahead.splice(0, items.length)
    return { items, total, next_cursor: ahead.length > 0 ? this.#keep(walk) : null }
  }

  #walkOf(cursor: string | undefined, of: string): Walk {
    if (cursor === undefined) return { of, total: 0, ahead: [], controller: new AbortController() }
    const walk = this.#walks.get(cursor)
    if (walk?.of !== of)
      throw invalidArgument(
        'cursor',
        `no page of this list follows ${JSON.stringify(cursor)}`,
        'begin again without cursor, and keep the other arguments the same from page to page',
      )
    this.#walks.delete(cursor)
    return walk
  }

  /** Keeps a list for its next page. Returns the cursor. */
  #keep(walk: Walk): string {
    const [oldest] = this.#walks.keys()
    if (oldest !== undefined && this.#walks.size >= MAX_LISTS) this.#walks.delete(oldest)
    const cursor = this.#newCursor()
    this.#walks.set(cursor, walk)
    return cursor
  }
}
