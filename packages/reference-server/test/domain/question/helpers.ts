import type { KnownQuestionType } from '@formwire/contract'
import {
  type FileLookup,
  filesAsDescribed,
  type Question,
  readQuestions,
  type ValidatedAnswers,
  validateAnswers,
} from '../../../src/domain/question/index.ts'

/** Reads definitions that the test knows to be good. */
export function questionsOf(...definitions: object[]): Question[] {
  const read = readQuestions(definitions)
  if (!read.ok) throw new Error(`${read.refusal.field} ${read.refusal.message}`)
  return read.value
}

const OPTIONS = [
  { id: 'a', label: 'Apple' },
  { id: 'b', label: 'Banana' },
  { id: 'c', label: 'Cherry' },
]

const GRID = {
  rows: [
    { id: 'r1', label: 'Row one' },
    { id: 'r2', label: 'Row two' },
  ],
  columns: [
    { id: 'c1', label: 'Good' },
    { id: 'c2', label: 'Bad' },
  ],
}

const PARTS: Partial<Record<KnownQuestionType, object>> = {
  single_choice: { options: OPTIONS },
  multiple_choice: { options: OPTIONS },
  dropdown: { options: OPTIONS },
  ranking: { options: OPTIONS },
  grid_single: GRID,
  grid_multiple: GRID,
}

/** A question of the type with the id `q`. Options are Apple, Banana, Cherry; grids have two rows and two columns. */
export const questionOf = (type: KnownQuestionType, parts: object = {}): Question =>
  questionsOf({ id: 'q', type, title: 'Question', ...PARTS[type], ...parts })[0] as Question

/** Submits answers as `{question id: value}`. */
export function submit(
  questions: readonly Question[],
  values: Readonly<Record<string, unknown>>,
  { draft = false, file = filesAsDescribed }: { draft?: boolean; file?: FileLookup } = {},
): ValidatedAnswers {
  const answers = Object.entries(values).map(([question_id, value]) => ({ question_id, value }))
  return validateAnswers(questions, answers, { draft, file })
}

/** The one answer to one question: its value and text, `skipped`, or the message of the refusal. */
export function answerTo(question: Question, value: unknown, draft = false): unknown {
  const result = submit([question], { [question.id]: value }, { draft })
  if (!result.ok) return `refused: ${result.refusal[0].message}`
  const [answer] = result.value.answers
  return answer ? { value: answer.value, text: answer.text } : 'skipped'
}
