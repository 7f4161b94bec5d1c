import { filesAsDescribed } from '../../domain/question/handler.ts'
import type { Question } from '../../domain/question/question.ts'
import { checkShown } from '../../domain/question/validate-answers.ts'
import { valueOfFields } from '../form-answers.ts'
import { FormFields } from '../form-fields.ts'
import { all } from './dom.ts'

/** Shows and hides questions as answers change, by the very code with which the server does (RESP-06). */
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
  // A page that comes back out of the history has its answers, and says so with this event.
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
  // A draft's rules: half an answer shows what hangs on it as soon as it is right in itself.
  const shown = checkShown(questions, answers, { draft: true, file: filesAsDescribed })
  return new Set(Array.from(shown, ({ question }) => question.id))
}
