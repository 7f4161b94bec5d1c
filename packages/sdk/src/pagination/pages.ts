import type { PageMeta } from '@formwire/contract'
import { isResponseTooLargeError, PaginationError } from '../errors/client-errors.ts'
import { type ApiPromise, apiPromise } from '../http/api-promise.ts'
import { PageSize, walkRows } from './page-walk.ts'

/** Fetches one page of a list. `page` starts at 1. @default perPage that of the first page */
export type FetchPage<Item> = (page: number, perPage?: number) => ApiPromise<Page<Item>>

/** One page of a list (ENV-02). Iterating it yields the items of this page only. */
export class Page<Item> implements Iterable<Item> {
  readonly data: Item[]
  readonly meta: PageMeta
  readonly #fetch: FetchPage<Item>

  constructor(data: Item[], meta: PageMeta, fetch: FetchPage<Item>) {
    this.data = data
    this.meta = meta
    this.#fetch = fetch
  }

  [Symbol.iterator](): Iterator<Item> {
    return this.data[Symbol.iterator]()
  }

  /** Whether more items follow, according to `meta`. */
  hasNextPage(): boolean {
    return this.data.length > 0 && this.meta.page * this.meta.per_page < this.meta.total
  }

  /**
   * Fetches the next page by its number. Rows that moved meanwhile may be missing or repeated; iterate the list to avoid this.
   *
   * @throws PaginationError if this is the last page.
   */
  nextPage(): ApiPromise<Page<Item>> {
    if (!this.hasNextPage()) {
      const error = new PaginationError(`Page ${this.meta.page} is the last page.`)
      return apiPromise(Promise.reject(error), {})
    }
    return this.#fetch(this.meta.page + 1)
  }
}

/**
 * A list. Await it for one page, or iterate it for every item of this and all later pages.
 *
 * @example
 * const page = await formwire.forms.list({ per_page: 50 })
 * for await (const form of formwire.forms.list()) console.log(form.title)
 */
export interface PagePromise<Item extends { id: unknown }> extends ApiPromise<Page<Item>> {
  /**
   * Yields every item once, page by page. Rows that move meanwhile are neither repeated nor skipped: already-seen ids are skipped,
   * if `total` shrinks, the iteration goes back by the difference, and of forms and drafts, which move to the front when they change,
   * page 1 is read again at the end. A page larger than `maxResponseBytes` is read in smaller ones. A row that is imported or restored
   * in the middle while another is removed can hide one; nothing in the list shows this.
   *
   * @throws PaginationError if the service ignores `page` or the list never ends.
   */
  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined>
}

/** Where a list starts. */
export interface ListStart {
  page: number
  perPage: number
  /** Whether a row that changes moves to the front. */
  isMoving: boolean
}

/** Returns a list that starts with the page `first`. */
export function pagePromise<Item extends { id: unknown }>(
  first: ApiPromise<Page<Item>>,
  fetch: FetchPage<Item>,
  { page, perPage, isMoving }: ListStart,
): PagePromise<Item> {
  return Object.assign(first, {
    async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
      const size = new PageSize(perPage)
      const start = await first.catch((error: unknown) => {
        if (!isResponseTooLargeError(error) || perPage === 1) throw error
        size.rows >>= 1
        return size.read(fetch, (page - 1) * perPage)
      })
      for await (const rows of walkRows(fetch, start, isMoving, size)) yield* rows
    },
  })
}
