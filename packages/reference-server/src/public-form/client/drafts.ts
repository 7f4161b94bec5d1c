import { all, announce, element, english, showError } from './dom.ts'
import { SAVED, setVersion, startAnother } from './submit.ts'

interface SaveResponse {
  readonly data?: { readonly token: string }
  readonly error?: { readonly message: string; readonly details?: { readonly field?: string } }
}

/** Saves drafts without leaving the page. After the first save the page is that of the draft. */
export function saveDrafts(form: HTMLFormElement): void {
  const button = form.querySelector<HTMLButtonElement>('[data-save]')
  button?.addEventListener('click', (event) => {
    event.preventDefault()
    if (form.hasAttribute('data-busy')) return
    form.setAttribute('data-busy', '')
    save(form, button)
      .catch(() => announce(form, 'The draft could not be saved. Check your connection and try again.'))
      .finally(() => form.removeAttribute('data-busy'))
  })
}

async function save(form: HTMLFormElement, button: HTMLButtonElement): Promise<void> {
  announce(form, 'Saving…')
  const response = await fetch(button.formAction, {
    method: 'POST',
    body: new FormData(form),
    headers: { accept: 'application/json' },
  })
  const saved = (await response.json()) as SaveResponse
  for (const block of all<HTMLElement>(form, '[data-question]'))
    showError(form, block.dataset.question ?? '', undefined)
  if (saved.data) {
    // A proxy that compresses weakens it: `W/"5"`.
    setVersion(form, response.headers.get('etag')?.split('"')[1])
    return switchToDraft(form, button, saved.data.token)
  }
  showRefusal(form, saved)
  if (response.status !== 404) return
  await startAnother(form)
  const hint = ' Your answers are still here: submit or save them as another response.'
  form.querySelector('[data-status]')?.append(hint)
}

function switchToDraft(form: HTMLFormElement, button: HTMLButtonElement, token: string): void {
  const { root = '', query = '' } = form.dataset
  const path = `${root}/drafts/${encodeURIComponent(token)}`
  button.setAttribute('formaction', path + query)
  form.setAttribute('action', `${path}/submit${query}`)
  history.replaceState(null, '', path)
  const link = element('a', { href: path }, new URL(path, location.href).href)
  form.dispatchEvent(new Event(SAVED))
  announce(form, 'Your draft is saved. Keep this link so you can continue later: ', link, ...copyButton(link))
  form.querySelector('[data-status]')?.scrollIntoView({ block: 'center' })
}

/** A button that copies a link. Pages on plain HTTP outside loopback cannot copy, so there is none. */
function copyButton({ href }: HTMLAnchorElement): HTMLElement[] {
  const { clipboard } = navigator as Partial<Navigator>
  if (!clipboard) return []
  const button = element('button', { type: 'button', ...english }, 'Copy link')
  button.addEventListener('click', () => {
    clipboard.writeText(href).then(
      () => button.replaceChildren('Copied'),
      () => button.replaceChildren('Select the link and copy it'),
    )
  })
  return [button]
}

function showRefusal(form: HTMLFormElement, { error }: SaveResponse): void {
  const field = error?.details?.field ?? ''
  // The message starts with the id of the question, which is meaningless to respondents.
  const message = (error?.message ?? 'The draft could not be saved.').replace(
    `${JSON.stringify(field)}: `,
    '',
  )
  // A person who saves again has read that this replaces another version.
  if (field === 'draft_version') setVersion(form)
  const target = showError(form, field, message)
  announce(form, target ? 'The draft was not saved. Please check the highlighted answer.' : message)
  target?.focus()
}
