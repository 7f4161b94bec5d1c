import type { FormResponse } from '@formwire/contract'
import { EXIT } from '../exit.ts'
import { Failure } from '../failure.ts'
import type { Output } from '../output/output.ts'
import { safeJson } from '../output/text-safety.ts'
import { QuestionColumns } from './columns.ts'
import { grouped } from './progress.ts'
import type { Header } from './question-sample.ts'

/** A format of an export. */
export type ExportFormat = 'csv' | 'ndjson' | 'json'

/** Writes one response after the other in a format. */
export interface ExportWriter {
  /** Returns the text before the first response. */
  begin(): string
  row(response: FormResponse): string
  /** Returns the text after the last response. */
  end(): string
  /** Returns what is worth knowing about the rows that were written. */
  remark?(): string | undefined
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

/**
 * Returns the writer of CSV with this header. The answers to questions without a column are in the last one if the header is a
 * sample; else a row with such an answer throws a Failure.
 */
export async function csvWriter({ columns, isSample }: Header): Promise<ExportWriter> {
  const { csvHeader, csvRow } = await import('./csv.ts')
  let others = 0
  return {
    begin: () => csvHeader(columns, isSample),
    row(response) {
      const other = response.answers.filter(({ question_id: id }) => !columns.has(id))
      if (!isSample && other[0] !== undefined) throw newQuestion(response.id, other[0].question_id)
      others += other.length
      return csvRow(response, columns, isSample)
    },
    end: () => '',
    remark() {
      if (others === 0) return undefined
      return `${grouped(others)} ${others === 1 ? 'answer is' : 'answers are'} in the column other_answers; with responses export --output FILE every question has its own`
    },
  }
}

function newQuestion(responseId: number, questionId: string): Failure {
  return new Failure(
    `response ${responseId} has an answer to "${questionId}", a question that no response had when the header was written`,
    {
      exitCode: EXIT.failed,
      code: 'new_question',
      hint: 'run the command again, or use responses export --output FILE, which writes the header last',
    },
  )
}

/** Returns the columns for responses that are all there. */
export async function columnsOf(responses: AsyncIterable<FormResponse>): Promise<QuestionColumns> {
  const columns = new QuestionColumns()
  for await (const response of responses) columns.add(response)
  return columns
}
