import { filesAsDescribed } from '../../domain/question/handler.ts'
import type { Question } from '../../domain/question/question.ts'
import { checkShown } from '../../domain/question/validate-answers.ts'
import { valueOfFields } from '../form-answers.ts'
import { FormFields } from '../form-fields.ts'
import { all } from './dom.ts'

/** Shows and hides questions as answers change, with the server's own code (RESP-06). */
export function followLogic(form: HTMLFormElement): void {
  const questions = JSON.parse(form.dataset.questions ?? '[]') as Question[]
  if (!questions.some((question) => question.show_if)) return
  const blocks = all<HTMLElement>(form, '[data-question]')
  const update = () => {
    const shown = shownQuestions(questions, new FormData(form))
    for (const block of blocks) block.hidden = !shown.has(block.dataset.question ?? '')
  }
  form.addEventListener('input', update)
  form.addEventListener('change', update)
  // Restoring a page from the history restores its answers without input events.
  addEventListener('pageshow', update)
  update()
}

function shownQuestions(questions: readonly Question[], data: FormData): Set<string> {
  const fields = new FormFields()
  for (const [name, value] of data) if (typeof value === 'string') fields.addText(name, value)
  const answers = questions.map((question) => ({
    question_id: question.id,
    value: valueOfFields(question, fields),
  }))
  // Validated like a draft: an incomplete answer already shows the questions that depend on it.
  const shown = checkShown(questions, answers, { draft: true, file: filesAsDescribed })
  return new Set(Array.from(shown, ({ question }) => question.id))
}
