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
  of: string
  items: AsyncIterator<unknown>
  total: number
  /** Items that were read and not returned. */
  ahead: unknown[]
  /** Number of items that were returned. */
  at: number
  /** The page before `at`, for a client that lost it. */
  last: { at: number; page: ServicePage<unknown> } | undefined
  /** Ends the requests of the list. */
  controller: AbortController
  /** Ends with the last page that was asked for. */
  turn: Promise<unknown>
}

/**
 * Reads lists of the service over several calls with the pagination of the SDK: items that move while others arrive or are deleted
 * are neither repeated nor skipped.
 */
export class ListWalks {
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
    const { cursor } = request
    const of = JSON.stringify(request.of)
    const [id, at] = cursor === undefined ? [await this.#open(of, request), 0] : parseCursor(cursor)
    const walk = this.#walks.get(id)
    if (walk?.of !== of) throw unknownCursor(cursor)
    const next = walk.turn.then(() => this.#next(id, walk, at, request))
    walk.turn = next.catch(() => undefined)
    return (await next) as ServicePage<Shown>
  }

  async #open<Item extends { id: unknown }>(
    of: string,
    request: PageRequest<Item, unknown>,
  ): Promise<string> {
    const controller = new AbortController()
    const forget = onAbort(request.signal, () => controller.abort(request.signal.reason))
    try {
      const { list, first } = await openFitting(PER_PAGE, (perPage) =>
        request.open(controller.signal, perPage),
      )
      const { total } = first.meta
      const [oldest] = this.#walks.keys()
      if (oldest !== undefined && this.#walks.size >= MAX_LISTS) this.#walks.delete(oldest)
      this.#count += 1
      const id = String(this.#count)
      const items = list[Symbol.asyncIterator]()
      const turn = Promise.resolve()
      this.#walks.set(id, { of, items, total, ahead: [], at: 0, last: undefined, controller, turn })
      return id
    } finally {
      forget()
    }
  }

  async #next<Item extends { id: unknown }, Shown>(
    id: string,
    walk: Walk,
    at: number,
    { cursor, limit, signal, show }: PageRequest<Item, Shown>,
  ): Promise<ServicePage<unknown>> {
    if (walk.last?.at === at) return walk.last.page
    if (walk.at !== at) throw unknownCursor(cursor)
    const forget = onAbort(signal, () => walk.controller.abort(signal.reason))
    let end: unknown
    try {
      // One more than asked for, to know whether a page follows.
      while (walk.ahead.length <= limit) {
        const { done, value } = await walk.items.next()
        if (done) break
        walk.ahead.push(value)
      }
    } catch (error) {
      // The list has ended with the error.
      this.#walks.delete(id)
      if (walk.ahead.length === 0) throw error
      end = endOf(error, signal)
    } finally {
      forget()
    }
    const items = fittingOf(walk.ahead.slice(0, limit).map((item) => show(item as Item)))
    if (end !== undefined) {
      const incomplete = { ...this.#shown(end), note: 'the list ends here: begin again without cursor' }
      return { items, total: walk.total, next_cursor: null, incomplete }
    }
    walk.ahead.splice(0, items.length)
    walk.at += items.length
    const next_cursor = walk.ahead.length > 0 ? `${id}.${walk.at}` : null
    const page = { items, total: walk.total, next_cursor }
    walk.last = { at, page }
    return page
  }
}

/** Returns the list of a cursor, and how many of its items were returned. */
function parseCursor(cursor: string): [id: string, at: number] {
  const [, id = '', at] = /^(\d{1,9})\.(\d{1,9})$/.exec(cursor) ?? []
  return [id, Number(at)]
}

const unknownCursor = (cursor: string | undefined) =>
  invalidArgument(
    'cursor',
    `no page of this list follows ${JSON.stringify(cursor)}`,
    'begin again without cursor, and keep the other arguments the same from page to page',
  )
