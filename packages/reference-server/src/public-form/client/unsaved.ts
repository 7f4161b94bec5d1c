/** Name of the event of a form whose draft has been saved. */
export const SAVED = 'draft-saved'

/** Warns before a page with unsaved answers is left. Add it after the listeners that prevent a submission. */
export function warnUnsaved(form: HTMLFormElement): void {
  // The answers in a page with errors were sent but not stored.
  let saved = document.querySelector('.summary') ? undefined : answersIn(form)
  let isSubmitting = false
  addEventListener('beforeunload', (event) => {
    if (!isSubmitting && answersIn(form) !== saved) event.preventDefault()
  })
  form.addEventListener('submit', (event) => {
    isSubmitting ||= !event.defaultPrevented
  })
  form.addEventListener(SAVED, () => {
    saved = answersIn(form)
  })
  // A page restored from the history after it was submitted.
  addEventListener('pageshow', () => {
    if (isSubmitting) saved = answersIn(form)
    isSubmitting = false
  })
}

/** Returns the answers in the page as a text, to compare with those of another instant. */
export function answersIn(form: HTMLFormElement): string {
  const fields = [...new FormData(form)]
    .filter(([name]) => name !== 'submit_token')
    .map(([name, value]) => [name, typeof value === 'string' ? value : `${value.name} ${value.size}`])
  return JSON.stringify(fields)
}
