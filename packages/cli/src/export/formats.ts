import type { FormResponse, PageMeta } from '@formwire/contract'
import type { Output } from '../output/output.ts'
import { grouped } from '../output/progress.ts'
import { safeJson } from '../output/text-safety.ts'
import { QuestionColumns } from './columns.ts'
import { csvHeader, csvRow } from './csv.ts'
import type { ResponsePage, ResponseSource } from './source.ts'

/** A list of the SDK: resolves to its first page, iterates over every item. */
export interface ItemList<Item> extends AsyncIterable<Item>, PromiseLike<ItemPage<Item>> {}

/** One page of a list. */
export interface ItemPage<Item> {
  data: Item[]
  meta: PageMeta
}

/** Writes one item after the other in a format. */
export interface ItemWriter<Item> {
  /** Returns the text before the first item, such as a header. */
  begin(): string
  row(item: Item): string
  /** Returns the text after the last item. */
  end(): string
  /** Returns what is worth knowing about the rows that were written. */
  remark?(): string | undefined
}

/** Writes responses. */
export type ExportWriter = ItemWriter<FormResponse>

/** Returns the writer of JSON, as an array or as lines. */
export function jsonWriter(output: Pick<Output, 'selected'>, isArray: boolean): ExportWriter {
  let isEmpty = true
  return {
    begin: () => '',
    row(response) {
      const text = safeJson(output.selected(response))
      const start = isEmpty ? '[' : ',\n'
      isEmpty = false
      return isArray ? start + text : `${text}\n`
    },
    end: () => (isArray ? (isEmpty ? '[]\n' : ']\n') : ''),
  }
}

/** Returns the writer of CSV with these columns. `isSample`: they may lack questions, whose answers are in a last column. */
export function csvWriter(columns: QuestionColumns, isSample = false): ExportWriter {
  let others = 0
  const hasOthers = isSample || columns.meta.isFull
  return {
    begin: () => csvHeader(columns, hasOthers),
    row(response) {
      others += response.answers.filter(({ question_id: id }) => !columns.has(id)).length
      return csvRow(response, columns, hasOthers)
    },
    end: () => '',
    remark() {
      if (others === 0) return undefined
      return `${grouped(others)} ${others === 1 ? 'answer is' : 'answers are'} in the column other_answers; with responses export --output FILE every question has its own`
    },
  }
}

/** Returns the writer of a CSV that is kept in memory until its end, when the questions of all responses are known. */
function collectedCsvWriter(order: 'oldest' | 'newest'): ExportWriter {
  const responses: FormResponse[] = []
  return {
    begin: () => '',
    row(response) {
      responses.push(response)
      return ''
    },
    end() {
      const { begin, row } = csvWriter(columnsOf(order === 'oldest' ? responses : responses.toReversed()))
      return begin() + responses.map(row).join('')
    },
  }
}

/** Returns the columns for responses that are all there. */
function columnsOf(responses: Iterable<FormResponse>): QuestionColumns {
  const columns = new QuestionColumns()
  for (const response of responses) columns.add(response)
  return columns
}

/** Responses up to which a CSV is written once all of them have been read: its header has the questions of all. */
const COLLECTED = 1_000
/** Pages that are read for the header of a longer CSV, spread over all of them. */
const SAMPLED_PAGES = 10

/** What a CSV on stdout is made of. */
type CsvSource = Pick<ResponseSource, 'total' | 'pages' | 'page'>

/**
 * Returns the writer of a CSV on stdout: a short one is written at its end, a longer one with the questions of a sample, since the
 * API does not list the questions of a form.
 */
export async function stdoutCsvWriter(source: CsvSource, order: 'oldest' | 'newest'): Promise<ExportWriter> {
  if (source.total <= COLLECTED) return collectedCsvWriter(order)
  return csvWriter(await sampledQuestions(source, order), true)
}

/** Returns the questions of ten pages, in the order of the form. The pages are requested at the same time. */
async function sampledQuestions(
  { page, pages: readPages, total: count }: CsvSource,
  order: 'oldest' | 'newest',
): Promise<QuestionColumns> {
  const known = await readPages()
  const [first] = known.values()
  const { page: start, total, per_page: perPage } = (first as ResponsePage).meta
  const pages = Math.ceil(total / perPage)
  // The last page has fewer responses than the others.
  const span = Math.min(pages - start + 1, Math.ceil(count / perPage) + (order === 'oldest' ? 1 : 0))
  const [from, to] = order === 'oldest' ? [pages - span + 1, pages] : [start, start + span - 1]
  const read = await Promise.all(
    spread(from, to, SAMPLED_PAGES).map(async (number): Promise<readonly FormResponse[]> => {
      const found = known.get(number)
      if (found?.meta.per_page === perPage) return found.data
      const { data } = await Promise.resolve(page(number, perPage)).catch((error: unknown) => {
        const { name, status } = error as { name?: unknown; status?: unknown }
        // Past the end, or longer than the others.
        if (status === 422 || name === 'ResponseTooLargeError') return { data: [] }
        throw error
      })
      return data
    }),
  )
  return columnsOf(read.flat().toReversed())
}

/** Returns at most `count` different integers from `from` to `to`, evenly spread, in ascending order. */
function spread(from: number, to: number, count: number): number[] {
  const numbers = Array.from({ length: count }, (_, at) =>
    Math.round(from + ((to - from) * at) / Math.max(1, count - 1)),
  )
  return [...new Set(numbers)]
}
