import { all, announce, element, showError } from './dom.ts'

interface SaveAnswer {
  readonly data?: { readonly token: string }
  readonly error?: { readonly message: string; readonly details?: { readonly field?: string } }
}

/** Saves a draft without leaving the page; from then on the page is the draft's own. */
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
  announce(form, 'Saving …')
  const response = await fetch(button.formAction, {
    method: 'POST',
    body: new FormData(form),
    headers: { accept: 'application/json' },
  })
  const answer = (await response.json()) as SaveAnswer
  for (const block of all<HTMLElement>(form, '[data-question]'))
    showError(form, block.dataset.question ?? '', undefined)
  if (answer.data) becomeDraft(form, button, answer.data.token)
  else refuse(form, answer)
}

function becomeDraft(form: HTMLFormElement, button: HTMLButtonElement, token: string): void {
  const { root = '', query = '' } = form.dataset
  const path = `${root}/drafts/${encodeURIComponent(token)}`
  button.setAttribute('formaction', path + query)
  form.setAttribute('action', `${path}/submit${query}`)
  history.replaceState(null, '', path)
  const link = element('a', { href: path }, new URL(path, location.href).href)
  announce(form, 'Your draft is saved. Keep this link to come back to it: ', link)
}

function refuse(form: HTMLFormElement, { error }: SaveAnswer): void {
  const field = error?.details?.field ?? ''
  // The message begins with the id of the question, which means nothing to a person.
  const message = (error?.message ?? 'The draft could not be saved.').replace(
    `${JSON.stringify(field)}: `,
    '',
  )
  const target = showError(form, field, message)
  announce(form, target ? 'The draft was not saved: please check the answer that is marked.' : message)
  target?.focus()
}
