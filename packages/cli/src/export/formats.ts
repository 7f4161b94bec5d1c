import type { FormResponse, PageMeta } from '@formwire/contract'
import type { Output } from '../output/output.ts'
import { grouped } from '../output/progress.ts'
import { safeJson } from '../output/text-safety.ts'
import { QuestionColumns } from './columns.ts'

/** A list of the SDK: resolves to its first page, iterates over every item. */
export interface ItemList<Item> extends AsyncIterable<Item>, PromiseLike<ItemPage<Item>> {}

/** One page of a list. */
export interface ItemPage<Item> {
  data: Item[]
  meta: PageMeta
}

/** A format of an export. */
export type ExportFormat = 'csv' | 'ndjson' | 'json'

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
export async function csvWriter(columns: QuestionColumns, isSample = false): Promise<ExportWriter> {
  const { csvHeader, csvRow } = await import('./csv.ts')
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
export async function collectedCsvWriter(order: 'oldest' | 'newest'): Promise<ExportWriter> {
  const { csvHeader, csvRow } = await import('./csv.ts')
  const responses: FormResponse[] = []
  return {
    begin: () => '',
    row(response) {
      responses.push(response)
      return ''
    },
    end() {
      const columns = new QuestionColumns()
      for (const response of order === 'oldest' ? responses : responses.toReversed()) columns.add(response)
      const hasOthers = columns.meta.isFull
      const rows = responses.map((response) => csvRow(response, columns, hasOthers))
      return csvHeader(columns, hasOthers) + rows.join('')
    },
  }
}

/** Returns the columns for responses that are all there. */
export async function columnsOf(responses: AsyncIterable<FormResponse>): Promise<QuestionColumns> {
  const columns = new QuestionColumns()
  for await (const response of responses) columns.add(response)
  return columns
}
