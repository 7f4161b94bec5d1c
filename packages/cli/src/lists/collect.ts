import type { Context } from '../context.ts'
import { DEFAULT_LIMIT, type LimitOptions } from './limit-options.ts'

/** A list of the SDK: resolves to its first page, iterates over every item. */
export interface ItemList<Item> extends AsyncIterable<Item>, PromiseLike<{ meta: { total: number } }> {}

/** The items of a list. */
export interface Collected<Item> {
  items: Item[]
  /** Number of items that match. */
  total: number
}

const PER_PAGE_MAX = 100

/** Returns page and page size of the first request: pages of 100 for long lists. */
export function firstPage(options: LimitOptions): { page?: number; per_page: number } {
  const limit = options.all ? PER_PAGE_MAX : (options.limit ?? DEFAULT_LIMIT)
  return {
    ...(options.page === undefined ? {} : { page: options.page }),
    per_page: Math.min(limit, PER_PAGE_MAX),
  }
}

/** Collects items up to the limit. */
export async function collect<Item>(
  context: Context,
  list: ItemList<Item>,
  options: LimitOptions,
  noun: string,
): Promise<Collected<Item>> {
  const limit = options.all ? Number.POSITIVE_INFINITY : (options.limit ?? DEFAULT_LIMIT)
  const { total } = (await list).meta
  const items: Item[] = []
  for await (const item of list) {
    items.push(item)
    if (items.length >= limit) break
    if (items.length % PER_PAGE_MAX === 0) context.output.progress(`${items.length} of ${total} ${noun} …`)
  }
  context.output.clearProgress()
  return { items, total }
}

/** Prints the number of items after a list, and how to see the rest: on stdout on a terminal, else on stderr. */
export async function countLine(
  context: Context,
  collected: Collected<unknown>,
  noun: [string, string],
): Promise<void> {
  const { output } = context
  const shown = collected.items.length
  if (output.json) return
  const name = (count: number): string => (count === 1 ? noun[0] : noun[1])
  if (shown === 0) return output.note(`no ${noun[1]} found`)
  if (output.isTerminal) {
    const text =
      shown < collected.total
        ? `${shown} of ${collected.total} ${name(collected.total)} · use --all to see all`
        : `${shown} ${name(shown)}`
    await output.line(`\n${output.pens.dim(text)}`)
  } else if (shown < collected.total) {
    output.note(`${shown} of ${collected.total} ${name(collected.total)}; use --all to see all`)
  }
}
