import type { FormResponse } from '@formwire/contract'
import { stringify } from 'csv-stringify/sync'
import { safeLine, safeLines } from '../output/text-safety.ts'
import type { QuestionColumns } from './columns.ts'

/** What stands before the answers in each row. */
const FACTS = [
  'id',
  'status',
  'started_at',
  'submitted_at',
  'duration_sec',
  'email',
  'score',
  'max_score',
] as const

/**
 * CSV as spreadsheets read it (RFC 4180, CRLF). Text that a spreadsheet would take for a formula gets an apostrophe in
 * front; numbers stay numbers.
 */
const OPTIONS = { escape_formulas: true, record_delimiter: '\r\n' } as const

/** The header row. */
export function csvHeader(columns: QuestionColumns): string {
  return stringify([[...FACTS, ...columns.headers().map(safeLine)]], OPTIONS)
}

/** The row of one response: its facts, then one cell a question, empty where it was skipped. */
export function csvRow(response: FormResponse, columns: QuestionColumns): string {
  const answers = new Map(response.answers.map((answer) => [answer.question_id, answer]))
  const facts = FACTS.map((name) => {
    const value = response[name]
    return typeof value === 'string' ? safeLine(value) : value
  })
  const cells = columns.all.map(({ id }) => {
    const answer = answers.get(id)
    if (answer === undefined) return ''
    return typeof answer.value === 'number' ? answer.value : safeLines(answer.text)
  })
  return stringify([[...facts, ...cells]], OPTIONS)
}
