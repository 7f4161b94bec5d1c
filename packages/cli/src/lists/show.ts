import { columnsNamed } from '../columns/columns-named.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure.ts'
import { type Column, tableLines, tsvLine } from '../output/table.ts'
import { prepareWidths } from '../output/width.ts'
import { DEFAULT_LIMIT, type FormatOption, type ListFormat, type ListOptions } from './list-options.ts'

/** A list of the SDK: resolves to its first page, iterates over every item. */
export interface ItemList<Item> extends AsyncIterable<Item>, PromiseLike<{ meta: { total: number } }> {}

/** How the items of a list are shown. */
export interface ListView<Item> {
  nouns: readonly [one: string, many: string]
  /** Columns of a table. */
  columns: readonly Column<Item>[]
  /** The members of an item, which are the columns of a CSV. */
  fields: readonly string[]
  /** Writes a CSV of all members, where it needs every item first. */
  csv?: (items: readonly Item[]) => Promise<string>
}

const PER_PAGE_MAX = 100

/** Returns page and page size of the first request: pages of 100 for long lists. */
export function firstPage(options: ListOptions): { page?: number; per_page: number } {
  return {
    ...(options.page === undefined ? {} : { page: options.page }),
    per_page: Math.min(limitOf(options), PER_PAGE_MAX),
  }
}

const limitOf = (options: ListOptions): number =>
  options.all ? Number.POSITIVE_INFINITY : (options.limit ?? DEFAULT_LIMIT)

/** Prints a list of the SDK up to its limit, and the number of items. */
export async function showList<Item extends object>(
  context: Context,
  list: ItemList<Item>,
  view: ListView<Item>,
  options: ListOptions,
): Promise<void> {
  const writer = rowWriter(context, view, options)
  const { total } = (await list).meta
  const limit = limitOf(options)
  let count = 0
  for await (const item of list) {
    await writer.add(item)
    count += 1
    if (count >= limit) break
    if (count % PER_PAGE_MAX === 0) context.output.progress(`${count} of ${total} ${view.nouns[1]} …`)
  }
  context.output.clearProgress()
  await writer.end()
  if (count === 0 && total > 0 && options.page !== undefined) {
    return context.output.note(
      `page ${options.page} is past the end: ${total} ${total === 1 ? view.nouns[0] : view.nouns[1]}`,
    )
  }
  await countLine(context, { shown: count, total }, view.nouns, writer.isTable)
}

/** Prints items that are all there, and their number. */
export async function showItems<Item extends object>(
  context: Context,
  items: readonly Item[],
  view: ListView<Item>,
  options: FormatOption,
): Promise<void> {
  const writer = rowWriter(context, view, options)
  for (const item of items) await writer.add(item)
  await writer.end()
  await countLine(context, { shown: items.length, total: items.length }, view.nouns, writer.isTable)
}

/** Prints rows one by one as far as the format allows, else at the end. */
interface RowWriter<Item> {
  /** Whether the rows are a table for people. */
  isTable: boolean
  add(item: Item): Promise<void>
  end(): Promise<void>
}

function rowWriter<Item extends object>(
  context: Context,
  view: ListView<Item>,
  options: ListOptions,
): RowWriter<Item> {
  const { output } = context
  const format = formatOf(context, options.format)
  const rows: Item[] = []
  const collect = async (item: Item): Promise<void> => {
    rows.push(item)
  }
  const named = (items: readonly Item[]): readonly Column<Item>[] =>
    options.columns === undefined ? view.columns : columnsNamed(options.columns, view.columns, items)
  switch (format) {
    case 'json':
      return { isTable: false, add: collect, end: () => output.document(rows) }
    case 'ndjson':
      return { isTable: false, add: (item) => output.record(item), end: async () => undefined }
    case 'csv':
      return csvWriter(context, view, options.columns)
    case 'tsv':
      return {
        isTable: !output.isTerminal,
        add: (item) => output.line(tsvLine(item, named([]), output.pens)),
        end: async () => undefined,
      }
    case 'table':
      return {
        isTable: true,
        add: collect,
        async end() {
          if (rows.length === 0) return
          const columns = named(rows)
          await prepareWidths(rows.flatMap((row) => columns.map((column) => column.text(row))))
          await output.line(tableLines(rows, columns, { width: output.width, pens: output.pens }).join('\n'))
        },
      }
  }
}

function csvWriter<Item extends object>(
  { output }: Context,
  view: ListView<Item>,
  columns: readonly string[] | undefined,
): RowWriter<Item> {
  const { csv } = view
  if (columns === undefined && csv !== undefined) {
    const rows: Item[] = []
    return {
      isTable: false,
      add: async (item) => {
        rows.push(item)
      },
      end: async () => output.write(await csv(rows)),
    }
  }
  const names = columns ?? view.fields
  let isFirst = true
  const header = async (): Promise<void> => {
    if (!isFirst) return
    isFirst = false
    const { csvLine } = await import('../export/csv.ts')
    await output.write(csvLine(names))
  }
  return {
    isTable: false,
    async add(item) {
      await header()
      const { memberRow } = await import('../export/csv.ts')
      await output.write(memberRow(item, names))
    },
    end: header,
  }
}

function formatOf({ output }: Context, format: ListFormat | undefined): ListFormat {
  if (!output.json) return format ?? (output.isTerminal ? 'table' : 'tsv')
  if (format === undefined || format === 'json') return 'json'
  if (format === 'ndjson') return format
  throw usage(`--json cannot be combined with --format ${format}`, 'remove one of them')
}

/** Prints the number of items after a list, and how to see the rest: on stdout below a table, else on stderr. */
async function countLine(
  { output }: Context,
  { shown, total }: { shown: number; total: number },
  nouns: readonly [string, string],
  isTable: boolean,
): Promise<void> {
  if (output.json) return
  const name = (count: number): string => (count === 1 ? nouns[0] : nouns[1])
  if (shown === 0) return output.note(`no ${nouns[1]} found`)
  if (output.isTerminal && isTable) {
    const text =
      shown < total ? `${shown} of ${total} ${name(total)} · use --all to see all` : `${shown} ${name(shown)}`
    await output.line(`\n${output.pens.dim(text)}`)
  } else if (shown < total) output.note(`${shown} of ${total} ${name(total)}; use --all to see all`)
}
