import { tooLarge } from '../file-size.ts'
import { all, announce, element, showError } from './dom.ts'

interface UploadResponse {
  readonly data?: { readonly id: string; readonly name: string }
  readonly error?: { readonly message: string }
}

/** Uploads files as soon as they are selected and adds a checkbox for each; unchecking it removes the file. */
export function uploadOnSelect(form: HTMLFormElement): void {
  for (const input of all<HTMLInputElement>(form, 'input[type="file"]')) {
    // Signatures are often redrawn, so they are sent with the form.
    if (input.closest('[data-signature]')) continue
    input.addEventListener('change', () => void uploadAll(form, input))
  }
}

async function uploadAll(form: HTMLFormElement, input: HTMLInputElement): Promise<void> {
  const questionId = input.dataset.upload ?? ''
  const files = [...(input.files ?? [])]
  showError(form, questionId, undefined)
  try {
    form.setAttribute('data-busy', '')
    for (const [index, file] of files.entries()) {
      announce(form, 'Uploading ', nameOf(file), ` (${index + 1} of ${files.length})…`)
      addKept(input, await upload(form, questionId, file))
    }
    if (files.length === 1 && files[0]) announce(form, nameOf(files[0]), ' added.')
    else announce(form, `${files.length} files added.`)
    // They would be sent again with the form.
    input.value = ''
  } catch (error) {
    input.value = ''
    announce(form, 'The upload failed.')
    showError(form, questionId, error instanceof Error ? error.message : String(error))
  } finally {
    form.removeAttribute('data-busy')
  }
}

/** Isolated, so that direction marks in a name do not affect the words after it. */
const nameOf = (file: File): HTMLElement => element('bdi', {}, file.name)

async function upload(
  form: HTMLFormElement,
  questionId: string,
  file: File,
): Promise<{ id: string; name: string }> {
  // Checked before sending, since the server closes the connection on a body that is far too large.
  const maxBytes = Number(form.dataset.fileMaxBytes ?? Number.POSITIVE_INFINITY)
  if (file.size > maxBytes) throw new Error(tooLarge(maxBytes))
  const body = new FormData()
  body.append('question_id', questionId)
  body.append('file', file)
  const response = await fetch(`${form.dataset.root}/files`, {
    method: 'POST',
    body,
    headers: { accept: 'application/json' },
  }).catch(() => {
    throw new Error('The upload failed. Check your connection and try again.')
  })
  const uploaded = (await response.json()) as UploadResponse
  if (!uploaded.data) throw new Error(uploaded.error?.message ?? 'The upload failed.')
  return uploaded.data
}

function addKept(input: HTMLInputElement, { id, name }: { id: string; name: string }): void {
  const box = element('input', { type: 'checkbox', name: input.name, value: id, 'data-kept': '' })
  box.checked = true
  const label = element('label', { class: 'option' }, box, element('span', { dir: 'auto' }, name))
  input.parentElement?.querySelector('[data-kept-files]')?.append(label)
}
