import { announce, element, english } from './dom.ts'

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

/** Remembers pages that were submitted: in the tab, because a thank-you page cannot mark the page before it. */
function remembered<Value>(use: (storage: Storage) => Value): Value | null {
  try {
    return use(sessionStorage)
  } catch {
    // The browser keeps nothing.
    return null
  }
}

/** On the thank-you page: marks the page that led here as submitted. After Back, another page led elsewhere. */
export function rememberSubmitted(): void {
  const [opened] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const token = remembered((storage) => storage.getItem('sent'))
  if (token !== null && opened?.type !== 'back_forward' && /\/thanks$/.test(location.pathname))
    remembered((storage) => storage.setItem(token, 'submitted'))
}

/**
 * Sends what was changed after Back as another response. The token of a page that was submitted is used up: with the same
 * answers it leads to the thank-you page again, as it should, but changed answers would be lost. They get the token of a new
 * page.
 */
export function sendChangesAsAnother(form: HTMLFormElement): void {
  const field = form.querySelector<HTMLInputElement>('[name="submit_token"]')
  if (!field) return
  let sent: string | undefined
  let isRestored = false
  /** The response to a form post. Its entry in the history must stay one, and brings its own token back. */
  const isRefused = form.hasAttribute('data-refused')
  const note = element('p', { class: 'note', role: 'status', ...english })
  form.addEventListener('submit', (event) => {
    if (event.defaultPrevented) return
    sent = answersIn(form)
    if (!isRefused) history.replaceState({ token: field.value }, '')
    remembered((storage) => storage.setItem('sent', field.value))
  })
  addEventListener('pageshow', () => {
    const { token = '' } = (history.state ?? {}) as { token?: string }
    // A page that the browser has loaded again has the token of a new one.
    field.value = token || field.value
    const isSubmitted = remembered((storage) => storage.getItem(field.value)) !== null
    // A draft that the browser has loaded again is there still: it was refused.
    const isFresh = token === '' || form.action.includes('/drafts/')
    if (isFresh && sent === undefined && !isSubmitted) return
    sent ??= answersIn(form)
    isRestored = true
    if (!isSubmitted) return
    form.dispatchEvent(new Event(SAVED))
    const { root = '', query = '' } = form.dataset
    const another = element('a', { href: root + query }, 'Submit another response')
    // A link to the page itself keeps what its entry in the history remembers.
    another.addEventListener('click', () => history.replaceState(null, ''))
    note.replaceChildren(
      'You have submitted this form. The same answers are not stored again; changed ones are sent as another response. ',
      another,
    )
    form.before(note)
  })
  const follow = () => {
    if (!isRestored || answersIn(form) === sent) return
    isRestored = false
    note.remove()
    // Blocks Submit meanwhile.
    form.setAttribute('data-busy', '')
    startAnother(form)
      // Without a connection, or once the form is closed, the server decides when Submit is pressed.
      .catch(() => undefined)
      .finally(() => form.removeAttribute('data-busy'))
  }
  form.addEventListener('input', follow)
  form.addEventListener('change', follow)
}

/** Sets the version of the draft that the page was filled in with; none is not checked. */
export function setVersion(form: HTMLFormElement, version = ''): void {
  const field = form.querySelector<HTMLInputElement>('[name="draft_version"]')
  if (field) field.value = version
}

/** Turns the page of a response, or of its draft, into that of a new one. */
export async function startAnother(form: HTMLFormElement): Promise<void> {
  const { root = '', query = '' } = form.dataset
  const response = await fetch(root + query, { headers: { accept: 'text/html' } })
  const [, token] = / name="submit_token" value="([^"]*)"/.exec(await response.text()) ?? []
  const field = form.querySelector<HTMLInputElement>('[name="submit_token"]')
  if (token === undefined || !field) return
  field.value = token
  setVersion(form)
  form.setAttribute('action', root + query)
  form.querySelector('[data-save]')?.setAttribute('formaction', `${root}/drafts${query}`)
  history.replaceState(null, '', root + query)
}

/** Name of the event of a form whose draft has been saved. */
export const SAVED = 'draft-saved'

/** Warns before a page with unsaved answers is left. Add it after the listeners that prevent a submission. */
export function warnUnsaved(form: HTMLFormElement): void {
  // The answers in a page with errors were sent but not stored.
  let saved = form.hasAttribute('data-refused') ? undefined : answersIn(form)
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
function answersIn(form: HTMLFormElement): string {
  const fields = [...new FormData(form)]
    .filter(([name]) => name !== 'submit_token' && name !== 'draft_version')
    .map(([name, value]) => [name, typeof value === 'string' ? value : `${value.name} ${value.size}`])
  return JSON.stringify(fields)
}
