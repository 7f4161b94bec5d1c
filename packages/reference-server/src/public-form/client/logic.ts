import type { FileLookup, Question } from '../../domain/question/index.ts'
import { checkShown } from '../../domain/question/validate-answers.ts'
import { valueOfFields } from '../form-answers.ts'
import { FormFields } from '../form-fields.ts'
import { summaryTitle } from '../texts.ts'
import { all, showError } from './dom.ts'

/** Shows and hides questions as answers change (RESP-06). */
export function followLogic(form: HTMLFormElement): void {
  const questions = questionsOf(form)
  if (!questions.some((question) => question.show_if)) return
  const blocks = all<HTMLElement>(form, '[data-question]')
  const update = () => {
    // Like a draft: an incomplete answer already shows the questions that depend on it.
    const shown = checkAnswers(form, questions, true)
    for (const block of blocks) block.hidden = !shown.has(block.dataset.question ?? '')
  }
  form.addEventListener('input', update)
  form.addEventListener('change', update)
  // Restoring a page from the history restores its answers without input events.
  addEventListener('pageshow', update)
  update()
}

/** Accepts every upload: the page has only its id, and the server checks it. */
const uploaded: FileLookup = (_questionId, { id }) => ({ id: String(id), name: '', size: 0 })

/** The definitions of the questions, if the page has them. */
const questionsOf = (form: HTMLFormElement): readonly Question[] =>
  JSON.parse(form.dataset.questions ?? '[]') as Question[]

/**
 * Checks the answers in the page with the server's own code (RESP-06). Returns whether each shown question has a valid
 * answer. A draft may lack answers.
 */
function checkAnswers(
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

/** Clears the error of an answer as soon as it is corrected, also in the summary above the form. */
export function clearCorrected(form: HTMLFormElement): void {
  const questions = questionsOf(form)
  const follow = ({ target }: Event) => {
    const wrong = all<HTMLElement>(form, '[data-question]:has([data-error-line]:not(:empty))')
    if (wrong.length === 0) return
    const changed = target instanceof Element ? target.closest('[data-question]') : null
    const checked = checkAnswers(form, questions, false)
    for (const block of wrong) {
      const id = block.dataset.question ?? ''
      // The page cannot check files, nor answers to questions that it has no definitions of: any change clears their errors.
      const isCorrected =
        block === changed && (checked.get(id) !== false || block.querySelector('input[type="file"]') !== null)
      const isHidden = questions.length > 0 && !checked.has(id)
      if (isCorrected || isHidden) clear(form, id)
    }
  }
  form.addEventListener('input', follow)
  form.addEventListener('change', follow)
}

function clear(form: HTMLFormElement, questionId: string): void {
  showError(form, questionId, undefined)
  const summary = document.querySelector('.summary')
  summary?.querySelector(`[data-error-of="${CSS.escape(questionId)}"]`)?.remove()
  const title = summary?.querySelector('h2')
  if (summary && title) title.textContent = summaryTitle(summary.querySelectorAll('[data-error-of]').length)
  if (summary?.querySelector('li')) return
  summary?.remove()
  document.title = document.title.replace(/^Error: /, '')
}
