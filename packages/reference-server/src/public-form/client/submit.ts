import { announce } from './dom.ts'

/**
 * Prevents submitting twice, submitting during an upload, and submitting without a connection, when the browser's error
 * page would replace the answers. Shows that a submission is being sent.
 */
export function guardSubmit(form: HTMLFormElement): void {
  const button = form.querySelector<HTMLButtonElement>('[data-submit]')
  const label = button?.textContent ?? ''
  let sent = false
  let warnedOffline = false
  const show = (sending: boolean) => {
    sent = sending
    if (button) button.textContent = sending ? 'Sending…' : label
    button?.toggleAttribute('data-sending', sending)
  }
  form.addEventListener('submit', (event) => {
    if (form.hasAttribute('data-busy')) {
      event.preventDefault()
      announce(form, 'Please wait: your answers or files are still being sent.')
    } else if (!navigator.onLine && !warnedOffline) {
      event.preventDefault()
      // Only once: a server on this machine is reachable without a network.
      warnedOffline = true
      announce(
        form,
        'You are offline. Your answers are still here. Submit them once you are connected, or press Submit again to try now.',
      )
    } else if (sent) event.preventDefault()
    else {
      show(true)
      announce(form, 'Sending your answers…')
    }
  })
  addEventListener('online', () => {
    warnedOffline = false
  })
  // A page restored from the history may be submitted again; the server recognises a page that it has stored.
  addEventListener('pageshow', () => {
    if (!sent) return
    show(false)
    announce(form)
  })
}
