import { summaryTitle } from '../summary-title.ts'
import { checkAnswers, questionsOf } from './answers.ts'
import { all, showError } from './dom.ts'

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
  if (!summary || !title) return
  title.textContent = summaryTitle(summary.querySelectorAll('[data-error-of]').length)
  if (summary.querySelector('li')) return
  summary.remove()
  document.title = document.title.replace(/^Error: /, '')
}
