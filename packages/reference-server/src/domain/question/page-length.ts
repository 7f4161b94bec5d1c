import type { Choice, Question } from './question.ts'
import { answerText } from './validate-answers.ts'

/** Approximate length of the markup of a question and of a field on the public form, in characters. */
const QUESTION_MARKUP = 400
const FIELD_MARKUP = 130

const lengthOf = (choices: readonly Choice[], part: 'id' | 'label'): number =>
  choices.reduce((sum, choice) => sum + choice[part].length, 0)

function fieldsLength({ id, options = [], rows = [], columns = [] }: Question): number {
  const one = FIELD_MARKUP + id.length
  const list = options.length * one + lengthOf(options, 'id') + lengthOf(options, 'label')
  const row = columns.length * one + lengthOf(columns, 'id') + lengthOf(columns, 'label')
  return list + row * rows.length + columns.length * lengthOf(rows, 'id') + lengthOf(rows, 'label')
}

/**
 * Estimates the length of a form's page in characters. Grids and conditions repeat parts of the definition, so
 * that a small definition can produce a very large page.
 */
export function pageLength(questions: readonly Question[]): number {
  const byId = new Map(questions.map((question) => [question.id, question]))
  return questions.reduce((sum, question) => {
    const controlling = question.show_if && byId.get(question.show_if.question_id)
    const condition = controlling
      ? controlling.title.length + answerText(controlling, question.show_if?.equals).length
      : 0
    return sum + QUESTION_MARKUP + question.title.length + condition + fieldsLength(question)
  }, 0)
}
