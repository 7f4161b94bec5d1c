import { announce } from './dom.ts'

/**
 * A second press while the first is under way would submit twice; an upload has to end first; and without a connection
 * the browser's own error page would take the place of the answers.
 */
export function guardSubmit(form: HTMLFormElement): void {
  let sent = false
  let toldOffline = false
  form.addEventListener('submit', (event) => {
    if (form.hasAttribute('data-busy')) {
      event.preventDefault()
      announce(form, 'One moment: something is still being sent.')
    } else if (!navigator.onLine && !toldOffline) {
      event.preventDefault()
      // Told once: a server on this very machine answers without any network.
      toldOffline = true
      announce(
        form,
        'You are offline. Your answers are still here: submit them once you are connected, or press Submit again to try it now.',
      )
    } else if (sent) event.preventDefault()
    else sent = true
  })
  addEventListener('online', () => {
    toldOffline = false
  })
  // Back in the history the same page may be submitted again.
  addEventListener('pageshow', () => {
    sent = false
  })
}
