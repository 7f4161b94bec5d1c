import { openFitting } from '@formwire/internal/fitting-pages'
import { onAbort } from '@formwire/internal/on-abort'
import type { PagePromise } from '@formwire/sdk'
import { endOf } from '../deadline.ts'
import { invalidArgument } from '../failures.ts'
import { fittingOf, type Page } from '../result.ts'

const PER_PAGE = 100

/** Lists that are kept. A client reads one or two at a time. */
const MAX_LISTS = 8

/** Where to read a list on, and what of it. */
export interface PageRequest<Item extends { id: unknown }, Shown> {
  /** Name and filters of the list. A cursor is valid for the same ones only. */
  of: unknown
  cursor: string | undefined
  limit: number
  signal: AbortSignal
  /** Starts the list with pages of this size. */
  open(signal: AbortSignal, perPage: number): PagePromise<Item>
  show(item: Item): Shown
}

/** One page of a list of the service. */
export interface ServicePage<Shown> extends Page<Shown> {
  /** Items of the whole list, when it was begun. */
  total: number
  /** Why the list ends before its end. */
  incomplete?: object
}

interface Walk {
  id: number
  of: string
  /** Undefined until the list is opened. */
  items?: AsyncIterator<unknown>
  total: number
  /** Items that were read and not returned. */
  ahead: unknown[]
  /** Number of items that were returned. */
  at: number
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
  readonly #shown: (error: unknown) => object
  #count = 0

  /** @param shown Returns what is shown of an error */
  constructor(shown: (error: unknown) => object) {
    this.#shown = shown
  }

  /** Returns the next page. @throws Failure `invalid_argument` for a cursor of another list; the errors of the client */
  async page<Item extends { id: unknown }, Shown>(
    request: PageRequest<Item, Shown>,
  ): Promise<ServicePage<Shown>> {
    const { cursor, limit, signal, show } = request
    const walk = this.#walkOf(cursor, JSON.stringify(request.of))
    const forget = onAbort(signal, () => walk.controller.abort(signal.reason))
    let end: unknown
    try {
      walk.items ??= await open(walk, request)
      // One more than asked for, to know whether a page follows.
      while (walk.ahead.length <= limit) {
        const { done, value } = await walk.items.next()
        if (done) break
        walk.ahead.push(value)
      }
    } catch (error) {
      // The list has ended with the error.
      if (walk.ahead.length === 0) throw error
      end = endOf(error, signal)
    } finally {
      forget()
    }
    const items = fittingOf(walk.ahead.slice(0, limit).map((item) => show(item as Item)))
    const { total, ahead } = walk
    if (end !== undefined) {
      const incomplete = { ...this.#shown(end), note: 'the list ends here: begin again without cursor' }
      return { items, total, next_cursor: null, incomplete }
    }
    ahead.splice(0, items.length)
    walk.at += items.length
    return { items, total, next_cursor: ahead.length > 0 ? this.#keep(walk) : null }
  }

  #walkOf(cursor: string | undefined, of: string): Walk {
    if (cursor === undefined) {
      this.#count += 1
      return { id: this.#count, of, total: 0, ahead: [], at: 0, controller: new AbortController() }
    }
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
    const cursor = `${walk.id}.${walk.at}`
    this.#walks.set(cursor, walk)
    return cursor
  }
}

async function open<Item extends { id: unknown }>(
  walk: Walk,
  request: PageRequest<Item, unknown>,
): Promise<AsyncIterator<Item>> {
  const { list, first } = await openFitting(PER_PAGE, (perPage) =>
    request.open(walk.controller.signal, perPage),
  )
  walk.total = first.meta.total
  return list[Symbol.asyncIterator]()
}
