import type { FormResponse } from '@formwire/contract'
import type { Output } from '../output/output.ts'
import { safeJson } from '../output/text-safety.ts'
import { QuestionColumns } from './columns.ts'

/** A format of an export. */
export type ExportFormat = 'csv' | 'ndjson' | 'json'

/** Writes one response after the other in a format. */
export interface ExportWriter {
  /** Returns the text before the first response. */
  begin(): string
  row(response: FormResponse): string
  /** Returns the text after the last response. */
  end(): string
}

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

/** Returns the writer of CSV with these columns. `isSample`: there may be answers to other questions. */
export async function csvWriter(columns: QuestionColumns, isSample: boolean): Promise<ExportWriter> {
  const { csvHeader, csvRow } = await import('./csv.ts')
  return {
    begin: () => csvHeader(columns, isSample),
    row: (response) => csvRow(response, columns, isSample),
    end: () => '',
  }
}

/** Returns the columns for responses that are all there. */
export async function columnsOf(responses: AsyncIterable<FormResponse>): Promise<QuestionColumns> {
  const columns = new QuestionColumns()
  for await (const response of responses) columns.add(response)
  return columns
}
