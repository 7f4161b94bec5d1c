import { answersIn } from './unsaved.ts'

/**
 * Sends what was changed after Back as another response. The token of a page that was submitted is used up: with the same
 * answers it leads to the thank-you page again, as it should, but changed answers would be lost. They get the token of a new
 * page.
 */
export function sendChangesAsAnother(form: HTMLFormElement): void {
  let sent: string | undefined
  let isRestored = false
  form.addEventListener('submit', (event) => {
    if (!event.defaultPrevented) sent = answersIn(form)
  })
  addEventListener('pageshow', () => {
    isRestored = sent !== undefined
  })
  const follow = () => {
    if (!isRestored || answersIn(form) === sent) return
    isRestored = false
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

/** Turns the page of a response, or of its draft, into that of a new one. */
async function startAnother(form: HTMLFormElement): Promise<void> {
  const { root = '', query = '' } = form.dataset
  const response = await fetch(root + query, { headers: { accept: 'text/html' } })
  const [, token] = / name="submit_token" value="([^"]*)"/.exec(await response.text()) ?? []
  const field = form.querySelector<HTMLInputElement>('[name="submit_token"]')
  if (token === undefined || !field) return
  field.value = token
  form.setAttribute('action', root + query)
  form.querySelector('[data-save]')?.setAttribute('formaction', `${root}/drafts${query}`)
  history.replaceState(null, '', root + query)
}
