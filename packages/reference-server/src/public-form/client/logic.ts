import { checkAnswers, questionsOf } from './answers.ts'
import { all } from './dom.ts'

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
