import type { FileLookup, Question } from '../../domain/question/index.ts'
import { checkShown } from '../../domain/question/validate-answers.ts'
import { valueOfFields } from '../form-answers.ts'
import { FormFields } from '../form-fields.ts'

/** Accepts every upload: the page has only its id, and the server checks it. */
const uploaded: FileLookup = (_questionId, { id }) => ({ id: String(id), name: '', size: 0 })

/** The definitions of the questions, if the page has them. */
export const questionsOf = (form: HTMLFormElement): readonly Question[] =>
  JSON.parse(form.dataset.questions ?? '[]') as Question[]

/**
 * Checks the answers in the page with the server's own code (RESP-06). Returns whether each shown question has a valid
 * answer. A draft may lack answers.
 */
export function checkAnswers(
  form: HTMLFormElement,
  questions: readonly Question[],
  draft: boolean,
): ReadonlyMap<string, boolean> {
  const fields = new FormFields()
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') fields.addText(name, value)
  const answers = questions.map((question) => ({
    question_id: question.id,
    value: valueOfFields(question, fields),
  }))
  const shown = checkShown(questions, answers, { draft, file: uploaded })
  return new Map(Array.from(shown, ({ question, checked }) => [question.id, checked.ok]))
}
