import { announce, busy, element } from './dom.ts'

/**
 * Saves drafts without leaving the page. After the first save the page is that of the draft. What the server refuses is posted by the
 * browser, as without a script: the page comes back with its errors.
 */
export function saveDrafts(form: HTMLFormElement): void {
  const button = form.querySelector<HTMLButtonElement>('[data-save]')
  let isRefused = false
  const save = async (of: HTMLButtonElement): Promise<void> => {
    announce(form, 'Saving…')
    const response = await fetch(of.formAction, {
      method: 'POST',
      body: new FormData(form),
      headers: { accept: 'application/json' },
    })
    const { data } = (await response.json()) as { readonly data?: { readonly token: string } }
    if (data) {
      // A proxy that compresses weakens it: `W/"5"`.
      const version = response.headers.get('etag')?.split('"')[1] ?? ''
      form.querySelector<HTMLInputElement>('[name="draft_version"]')?.setAttribute('value', version)
      switchToDraft(form, of, data.token)
    } else isRefused = true
  }
  button?.addEventListener('click', async (event) => {
    if (isRefused) return
    event.preventDefault()
    if (form.hasAttribute('data-busy')) return
    await busy(form, () => save(button)).catch(() =>
      announce(form, 'The draft could not be saved. Check your connection and try again.'),
    )
    if (isRefused) button.click()
  })
}

function switchToDraft(form: HTMLFormElement, button: HTMLButtonElement, token: string): void {
  const { root = '', query = '' } = form.dataset
  const path = `${root}/drafts/${encodeURIComponent(token)}`
  button.setAttribute('formaction', path + query)
  form.setAttribute('action', `${path}/submit${query}`)
  history.replaceState(null, '', path)
  const link = element('a', { href: path }, new URL(path, location.href).href)
  announce(form, 'Your draft is saved. Keep this link so you can continue later: ', link)
  form.querySelector('[data-status]')?.scrollIntoView({ block: 'center' })
}
