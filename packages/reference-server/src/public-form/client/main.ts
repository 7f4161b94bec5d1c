/**
 * Enhances the public form: conditional questions, saving drafts in place, immediate uploads, a signature pad. The page
 * also works without JavaScript, and the server validates everything.
 */
import './form.css'
import { announce } from './dom.ts'
import { saveDrafts } from './drafts.ts'
import { followLogic } from './logic.ts'
import { addSignaturePads } from './signature.ts'
import { uploadOnSelect } from './uploads.ts'

const form = document.querySelector<HTMLFormElement>('form[data-questions]')
document.documentElement.classList.add('has-script')
document.querySelector<HTMLElement>('[autofocus]')?.focus()
if (form) {
  form.addEventListener('change', clearOther)
  followLogic(form)
  addSignaturePads(form)
  uploadOnSelect(form)
  saveDrafts(form)
  guardSubmit(form)
}

/** Empties the text of "Other" once another option is chosen: the field is hidden then, so its text must not be sent. */
function clearOther({ target }: Event): void {
  const question = target instanceof Element ? target.closest('[data-question]') : null
  const text = question?.querySelector<HTMLInputElement>('[data-other]')
  if (text && text !== target && !question?.querySelector('[data-is-other]:checked')) text.value = ''
}

/** Prevents submitting during an upload. What a page sends that comes back from the history after it was sent is another response. */
function guardSubmit(of: HTMLFormElement): void {
  const token = of.querySelector<HTMLInputElement>('[name=submit_token]')
  of.addEventListener('submit', (event) => {
    if (of.hasAttribute('data-busy')) {
      event.preventDefault()
      announce(of, 'Please wait: your answers or files are still being sent.')
    } else if (token) sessionStorage.setItem(token.value, 'sent')
  })
  addEventListener('pageshow', () => {
    if (token && sessionStorage.getItem(token.value)) token.disabled = true
  })
}
