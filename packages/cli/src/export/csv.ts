import type { FormResponse } from '@formwire/contract'
import { stringify } from 'csv-stringify/sync'
import { safeLine, safeLines } from '../output/text-safety.ts'
import type { QuestionColumns } from './columns.ts'

/** The columns before the answers. */
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
 * CSV for spreadsheets (RFC 4180, CRLF). Text that a spreadsheet would interpret as a formula is prefixed with an
 * apostrophe; numbers stay numbers.
 */
const OPTIONS = { escape_formulas: true, record_delimiter: '\r\n' } as const

/** Returns the header row. */
export function csvHeader(columns: QuestionColumns): string {
  return stringify([[...FACTS, ...columns.headers().map(safeLine)]], OPTIONS)
}

/** Returns the row of one response: its properties, then one cell per question, empty if skipped. */
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
