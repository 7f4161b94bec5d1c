import type { Context } from '../context.ts'

/** A list of the SDK: awaited it gives its first page, iterated every item once. */
export interface ItemList<Item> extends AsyncIterable<Item>, PromiseLike<{ meta: { total: number } }> {}

/** What a list took in. */
export interface Collected<Item> {
  items: Item[]
  /** How many match in all, as the last page told. */
  total: number
}

/** The options that lists share. */
export interface LimitOptions {
  limit?: number | undefined
  all?: boolean | undefined
  page?: number | undefined
}

/** How many a list shows unless told otherwise. */
export const DEFAULT_LIMIT = 25
const PER_PAGE_MAX = 100

/** Page and page size of the first request: whole pages of 100 where many are wanted. */
export function firstPage(options: LimitOptions): { page?: number; per_page: number } {
  const limit = options.all ? PER_PAGE_MAX : (options.limit ?? DEFAULT_LIMIT)
  return {
    ...(options.page === undefined ? {} : { page: options.page }),
    per_page: Math.min(limit, PER_PAGE_MAX),
  }
}

/** Takes items until the limit or the end. */
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

/** The line after a list: how many there are, and how to see the rest. On stdout for people, on stderr for pipes. */
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
        ? `${shown} of ${collected.total} ${name(collected.total)} · --all shows them all`
        : `${shown} ${name(shown)}`
    await output.line(`\n${output.pens.dim(text)}`)
  } else if (shown < collected.total) {
    output.note(`${shown} of ${collected.total} ${name(collected.total)}; --all gives them all`)
  }
}
