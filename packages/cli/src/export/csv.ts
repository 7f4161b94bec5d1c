import { CSV_FACTS, CSV_OTHER_ANSWERS, type FormResponse } from '@formwire/contract'
import { csvLine } from '@formwire/internal/csv'
import { safeLine, safeLines } from '../output/text-safety.ts'
import type { QuestionColumns } from './columns.ts'

/** Returns the header row of these members. */
export const namesLine = (names: readonly string[]): string => csvLine(names.map(safeLine))

/** Returns the header row. `hasOthers`: the columns may lack some, so that a last one takes the other answers. */
export function csvHeader(columns: QuestionColumns, hasOthers = false): string {
  return namesLine([...CSV_FACTS, ...columns.headers(), ...(hasOthers ? [CSV_OTHER_ANSWERS] : [])])
}

/** Returns the row of one response: its properties, then one cell per question, empty if skipped. */
export function csvRow(response: FormResponse, columns: QuestionColumns, hasOthers = false): string {
  const answers = new Map(response.answers.map((answer) => [answer.question_id, answer]))
  const facts = CSV_FACTS.map((name) => {
    const value = response[name]
    return typeof value === 'string' ? safeLine(value) : value
  })
  const cells = columns.all.map(({ id }) => answerCell(answers.get(id)))
  const meta = columns.meta.split(response.meta)
  const safe = meta.cells.map((cell) => (typeof cell === 'number' ? cell : safeLines(cell)))
  const others = response.answers.filter(({ question_id: id }) => !columns.has(id))
  return csvLine([
    ...facts,
    ...cells,
    ...safe,
    ...(hasOthers ? [otherText([...others, ...meta.others])] : []),
  ])
}

/** Returns what has no column, as `Title: text` lines. */
const otherText = (others: readonly { title: string; text: string }[]): string =>
  others.map(({ title, text }) => `${safeLine(title)}: ${safeLines(text)}`).join('\n')

/** Returns a row of the named members of an item: nothing for null, JSON for an object. */
export function memberRow(item: object, names: readonly string[]): string {
  const cells = names.map((name) => {
    const value = (item as Record<string, unknown>)[name]
    if (typeof value === 'number') return value
    return safeLines(
      typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? ''),
    )
  })
  return csvLine(cells)
}

/** Numbers stay numbers. */
function answerCell(answer: { text: string; value: unknown } | undefined): string | number {
  if (answer === undefined) return ''
  return typeof answer.value === 'number' ? answer.value : safeLines(answer.text)
}
