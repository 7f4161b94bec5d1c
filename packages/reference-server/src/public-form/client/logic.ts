import type { FileLookup, Question } from '../../domain/question/index.ts'
import { checkShown } from '../../domain/question/validate-answers.ts'
import { valueOfFields } from '../form-answers.ts'
import { FormFields } from '../form-fields.ts'
import { all } from './dom.ts'

/** Accepts every upload: the page has only its id, and the server checks it. */
const uploaded: FileLookup = (_questionId, { id }) => ({ id: String(id), name: '', size: 0 })

/** Shows and hides questions as answers change, with the server's own code (RESP-06). */
export function followLogic(form: HTMLFormElement): void {
  const questions = JSON.parse(form.dataset.questions ?? '[]') as readonly Question[]
  if (questions.length === 0) return
  const blocks = all<HTMLElement>(form, '[data-question]')
  const update = () => {
    const fields = new FormFields()
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') fields.addText(name, value)
    const answers = questions.map((question) => ({
      question_id: question.id,
      value: valueOfFields(question, fields),
    }))
    // Like a draft: an incomplete answer already shows the questions that depend on it.
    const checked = checkShown(questions, answers, { draft: true, file: uploaded })
    const shown = new Set(Array.from(checked, ({ question }) => question.id))
    for (const block of blocks) block.hidden = !shown.has(block.dataset.question ?? '')
  }
  form.addEventListener('input', update)
  form.addEventListener('change', update)
  // Restoring a page from the history restores its answers without input events.
  addEventListener('pageshow', update)
  update()
}
