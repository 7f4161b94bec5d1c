import type { PageMeta } from '@formwire/contract'
import { type ApiPromise, apiPromise } from './api-promise.ts'
import { PaginationError } from './errors/pagination-error.ts'
import { walkPages } from './page-walk.ts'

/** Fetches one page of a list; `page` from 1. */
export type FetchPage<Item> = (page: number) => ApiPromise<Page<Item>>

/** One page of a list (ENV-02). Iterated, it gives its own items. */
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

  /** Whether `meta` says that items follow. */
  hasNextPage(): boolean {
    return this.data.length > 0 && this.meta.page * this.meta.per_page < this.meta.total
  }

  /**
   * The next page, by its number. Rows that moved meanwhile may be missing or double; iterating the list takes care of them.
   *
   * @throws PaginationError when this is the last page.
   */
  nextPage(): ApiPromise<Page<Item>> {
    if (!this.hasNextPage()) {
      const error = new PaginationError(`Page ${this.meta.page} is the last one.`)
      return apiPromise(Promise.reject(error), {})
    }
    return this.#fetch(this.meta.page + 1)
  }
}

/** A list: awaited it gives one page, iterated every item of every page from there on. */
export interface PagePromise<Item extends { id: unknown }> extends ApiPromise<Page<Item>> {
  /**
   * Every item once, page by page. Rows that move while the list is walked are neither given twice nor skipped: ids already
   * seen are dropped, and when `total` shrinks the walk steps back by as much.
   *
   * @throws PaginationError when the service ignores `page` or the list never ends.
   */
  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined>
}

/** A list from its first page on. */
export function pagePromise<Item extends { id: unknown }>(
  first: ApiPromise<Page<Item>>,
  fetch: FetchPage<Item>,
): PagePromise<Item> {
  return Object.assign(first, { [Symbol.asyncIterator]: () => walkItems(first, fetch) })
}

async function* walkItems<Item extends { id: unknown }>(
  first: ApiPromise<Page<Item>>,
  fetch: FetchPage<Item>,
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<unknown>()
  for await (const page of walkPages(fetch, await first)) {
    for (const item of page.data) {
      if (seen.has(item.id)) continue
      seen.add(item.id)
      yield item
    }
  }
}
