import { openFitting } from '@formwire/internal/fitting-pages'
import type { OptionSpec, OptionsOf } from '../command.ts'
import type { Context } from '../context.ts'
import type { ItemList, ItemPage, ItemWriter } from '../export/formats.ts'
import { usage } from '../failure.ts'
import { count } from '../input/parse.ts'
import type { Output } from '../output/output.ts'
import { wordLines } from '../output/pens.ts'
import { countOf, grouped, Progress } from '../output/progress.ts'
import { type Column, tsvLine } from '../output/table.ts'

/** How a list can be printed. */
const LIST_FORMATS = ['table', 'tsv', 'csv', 'json', 'ndjson'] as const

/** A format of a list. */
export type ListFormat = (typeof LIST_FORMATS)[number]

/** Items that a list shows without `--limit`. */
const DEFAULT_LIMIT = 25

/** `--format` of a list. */
export const FORMAT_OPTION = {
  name: 'format',
  value: 'format',
  description: LIST_FORMATS.join(', '),
  default: 'table on a terminal, tsv on a pipe',
  choices: LIST_FORMATS,
} as const satisfies OptionSpec

/** `-L`, `--limit` of a list that is shown whole without it. */
export const LIMIT_OPTION = {
  name: 'limit',
  short: 'L',
  value: 'n',
  description: 'show at most this many',
  default: 'all',
  parse: count,
} as const satisfies OptionSpec

/** `--limit`, `--page`, `--all` and `--format` of a list of `nouns`. */
export const listOptions = (nouns: string) =>
  [
    { ...LIMIT_OPTION, default: DEFAULT_LIMIT },
    { name: 'page', value: 'n', description: 'first page (size: --limit)', parse: count },
    { name: 'all', description: `show all ${nouns}` },
    FORMAT_OPTION,
  ] as const satisfies readonly OptionSpec[]

/** The options of a list, as they are parsed. */
export type ListOptions = OptionsOf<ReturnType<typeof listOptions>>

/** How the items of a list are shown. */
export interface ListView<Item> {
  nouns: readonly [one: string, many: string]
  /** Columns of a table. */
  columns: readonly Column<Item>[]
  /** Returns the columns of a table on a terminal, which may depend on the items. @default the same */
  table?: (items: readonly Item[]) => Promise<readonly Column<Item>[]>
  /** The members of an item, which are the columns of a CSV. */
  fields: readonly string[]
  /** Returns the writer of a CSV of all members, for `count` items at most. @default one column per field */
  csv?: (first: ItemPage<Item>, count: number) => Promise<ItemWriter<Item>>
}

const PER_PAGE_MAX = 100

/** Page and page size of a request. */
export interface PageQuery {
  page?: number
  per_page: number
}

/** Returns the page at which a list begins in pages of this size. */
function firstPage(options: ListOptions, per_page: number): PageQuery {
  if (options.page === undefined) return { per_page }
  return { page: Math.floor(startOf(options) / per_page) + 1, per_page }
}

/** Returns the number of items before `--page`, whose size is `--limit`, or 100 with `--all` alone. */
function startOf({ page = 1, limit, all }: ListOptions): number {
  return (page - 1) * (limit ?? (all ? PER_PAGE_MAX : DEFAULT_LIMIT))
}

const limitOf = (options: ListOptions): number =>
  options.all ? Number.POSITIVE_INFINITY : (options.limit ?? DEFAULT_LIMIT)

/**
 * Prints a list of the SDK up to its limit, and the number of items.
 *
 * @param request sends the first request, for pages of 100 for long lists: called once the options have been checked.
 */
export async function showList<Item extends object>(
  context: Context,
  request: (page: PageQuery) => ItemList<Item>,
  view: ListView<Item>,
  options: ListOptions,
): Promise<void> {
  const { output } = context
  const limit = limitOf(options)
  const format = formatOf(context, options.format)
  const { list, first } = await openFitting(Math.min(limit, PER_PAGE_MAX), (perPage) =>
    request(firstPage(options, perPage)),
  )
  const { total } = first.meta
  const csv = () => view.csv?.(first, Math.min(limit, leftFrom(first)))
  const writer = await rowWriter(output, view, format, csv)
  // A limit above 100 may begin in the middle of a page.
  let skipped = startOf(options) % first.meta.per_page
  const progress = new Progress(context, view.nouns[1], Math.min(limit, leftFrom(first)))
  let count = 0
  for await (const item of list) {
    if (skipped > 0) {
      skipped -= 1
      continue
    }
    await writer.add(item)
    count += 1
    if (count >= limit) break
    if (count % PER_PAGE_MAX === 0) progress.show(count)
  }
  progress.end()
  await writer.end()
  if (count === 0 && total > 0 && options.page !== undefined) {
    return context.output.note(
      `page ${options.page} is past the end: ${countOf(total, ...view.nouns)}`,
      'wait',
    )
  }
  const counts = { shown: count, before: startOf(options), total, more: 'use --all to see all' }
  await countLine(context, counts, view.nouns, writer.isTable)
}

/** Returns the number of items from this page on. */
const leftFrom = ({ meta }: ItemPage<unknown>): number =>
  Math.max(0, meta.total - (meta.page - 1) * meta.per_page)

/** Prints items that are all there, up to the limit, and their number. */
export async function showItems<Item extends object>(
  context: Context,
  items: readonly Item[],
  view: ListView<Item>,
  options: Pick<ListOptions, 'format' | 'limit'>,
): Promise<void> {
  const writer = await rowWriter(context.output, view, formatOf(context, options.format))
  const shown = items.slice(0, options.limit)
  for (const item of shown) await writer.add(item)
  await writer.end()
  const counts = { shown: shown.length, total: items.length, more: 'raise --limit to see more' }
  await countLine(context, counts, view.nouns, writer.isTable)
}

/** Prints rows one by one as far as the format allows, else at the end. */
interface RowWriter<Item> {
  /** Whether the rows are a table for people. */
  isTable: boolean
  add(item: Item): Promise<void>
  end(): Promise<void>
}

async function rowWriter<Item extends object>(
  output: Output,
  { columns, fields, table }: ListView<Item>,
  format: ListFormat,
  csv?: () => Promise<ItemWriter<Item>> | undefined,
): Promise<RowWriter<Item>> {
  const rows: Item[] = []
  const collect = async (item: Item): Promise<void> => {
    rows.push(item)
  }
  switch (format) {
    case 'json':
      return { isTable: false, add: collect, end: () => output.document(rows) }
    case 'ndjson':
      return { isTable: false, add: (item) => output.record(item), end: async () => undefined }
    case 'csv':
      return await csvRows(output, await (csv?.() ?? membersCsv(fields)))
    case 'tsv':
      return {
        isTable: !output.isTerminal,
        add: (item) => output.line(tsvLine(item, columns, output.pens)),
        end: async () => undefined,
      }
    case 'table':
      return {
        isTable: true,
        add: collect,
        end: async () => output.table(rows, (output.isTerminal && (await table?.(rows))) || columns),
      }
  }
}

async function csvRows<Item>(output: Output, writer: ItemWriter<Item>): Promise<RowWriter<Item>> {
  await output.write(writer.begin())
  return {
    isTable: false,
    add: (item) => output.write(writer.row(item)),
    async end() {
      await output.write(writer.end())
      const remark = writer.remark?.()
      if (remark !== undefined) output.announce('other_answers', remark)
    },
  }
}

/** Returns the writer of a CSV with these members as columns. */
async function membersCsv(names: readonly string[]): Promise<ItemWriter<object>> {
  const { memberRow, namesLine } = await import('../export/csv.ts')
  return { begin: () => namesLine(names), row: (item) => memberRow(item, names), end: () => '' }
}

/** Returns the format of a list. @throws Failure exit 2 for one that cannot be combined with `--json` */
export function formatOf({ output }: Context, format: ListFormat | undefined): ListFormat {
  if (!output.json) return format ?? (output.isTerminal ? 'table' : 'tsv')
  if (format === undefined || format === 'json') return 'json'
  if (format === 'ndjson') return format
  throw usage(`--json cannot be combined with --format ${format}`, 'remove one of them')
}

/** Prints the number of items after a list, and how to see the rest: on stdout below a table, else on stderr. */
async function countLine(
  { output }: Context,
  { shown, before = 0, total, more }: { shown: number; before?: number; total: number; more: string },
  nouns: readonly [string, string],
  isTable: boolean,
): Promise<void> {
  if (output.json) return
  if (shown === 0) return output.note(`no ${nouns[1]} found`, 'calm')
  const first = grouped(before + 1)
  const which =
    before === 0 ? grouped(shown) : shown === 1 ? `number ${first}` : `${first}–${grouped(before + shown)}`
  if (output.isTerminal && isTable) {
    const text =
      shown < total ? `${which} of ${countOf(total, ...nouns)} · ${more}` : countOf(shown, ...nouns)
    const lines = wordLines(text, output.width)
    await output.line(`\n${lines.map(output.pens.dim).join('\n')}`)
  } else if (shown < total) output.note(`${which} of ${countOf(total, ...nouns)}; ${more}`, 'calm')
}
