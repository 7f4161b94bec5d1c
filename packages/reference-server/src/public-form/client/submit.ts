import { announce } from './dom.ts'

/** A second press while the first is under way would submit twice; an upload has to end first. */
export function guardSubmit(form: HTMLFormElement): void {
  let sent = false
  form.addEventListener('submit', (event) => {
    if (form.hasAttribute('data-busy')) {
      event.preventDefault()
      announce(form, 'One moment: something is still being sent.')
    } else if (sent) event.preventDefault()
    else sent = true
  })
  // Back in the history the same page may be submitted again.
  addEventListener('pageshow', () => {
    sent = false
  })
}
