import { CSV_FACTS, CSV_OTHER_ANSWERS, type FormResponse } from '@formwire/contract'
import { csvLine } from '@formwire/internal/csv'
import { memberText } from '../columns/columns-named.ts'
import { answerOf } from '../output/pick.ts'
import { safeLine, safeLines } from '../output/text-safety.ts'
import type { QuestionColumns } from './columns.ts'

/** Returns the header row of these members. */
export const namesLine = (names: readonly string[]): string => csvLine(names.map(safeLine))

/** Returns the header row. `isSample`: the columns may lack questions, so that a last column takes the other answers. */
export function csvHeader(columns: QuestionColumns, isSample = false): string {
  return namesLine([...CSV_FACTS, ...columns.headers(), ...(isSample ? [CSV_OTHER_ANSWERS] : [])])
}

/** Returns the row of one response: its properties, then one cell per question, empty if skipped. */
export function csvRow(response: FormResponse, columns: QuestionColumns, isSample = false): string {
  const answers = new Map(response.answers.map((answer) => [answer.question_id, answer]))
  const facts = CSV_FACTS.map((name) => {
    const value = response[name]
    return typeof value === 'string' ? safeLine(value) : value
  })
  const cells = columns.all.map(({ id }) => answerCell(answers.get(id)))
  return csvLine([...facts, ...cells, ...(isSample ? [otherAnswers(response, columns)] : [])])
}

/** Returns the answers to questions without a column, as `Title: text` lines. */
function otherAnswers({ answers }: FormResponse, columns: QuestionColumns): string {
  return answers
    .filter(({ question_id: id }) => !columns.has(id))
    .map(({ title, text }) => `${safeLine(title)}: ${safeLines(text)}`)
    .join('\n')
}

/** Returns a row of the named members of an item; `answer.ID` is the answer to a question. */
export function memberRow(item: object, names: readonly string[]): string {
  const cells = names.map((name) => {
    if (name.startsWith('answer.')) return answerCell(answerOf(item, name))
    const value = (item as Record<string, unknown>)[name]
    return typeof value === 'number' ? value : safeLines(memberText(value))
  })
  return csvLine(cells)
}

/** Numbers stay numbers. */
function answerCell(answer: { text: string; value: unknown } | undefined): string | number {
  if (answer === undefined) return ''
  return typeof answer.value === 'number' ? answer.value : safeLines(answer.text)
}
