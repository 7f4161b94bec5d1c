import type { UploadedFile } from '@formwire/contract'
import { sizeText, tooLarge } from '../texts.ts'
import { all, announce, busy, element, english } from './dom.ts'

interface UploadResponse {
  readonly data?: UploadedFile
  readonly error?: { readonly message: string }
}

/** Uploads files as soon as they are selected and adds a checkbox for each; unchecking it removes the file. */
export function uploadOnSelect(form: HTMLFormElement): void {
  for (const input of all<HTMLInputElement>(form, 'input[type="file"]')) {
    // Signatures are often redrawn, so they are sent with the form.
    if (input.closest('[data-signature]')) continue
    input.addEventListener('change', () => void busy(form, () => uploadAll(form, input)))
  }
}

async function uploadAll(form: HTMLFormElement, input: HTMLInputElement): Promise<void> {
  const files = [...(input.files ?? [])]
  if (files.length === 0) return
  showError(input, '')
  try {
    for (const [index, file] of files.entries()) {
      announce(form, 'Uploading ', nameOf(file), ` (${index + 1} of ${files.length})…`)
      addKept(input, await upload(form, input.dataset.upload ?? '', file))
    }
    if (files.length === 1 && files[0]) announce(form, nameOf(files[0]), ' added.')
    else announce(form, `${files.length} files added.`)
  } catch (error) {
    announce(form, 'The upload failed.')
    // `fetch` rejects with a `TypeError` if there was no response.
    const isRefusal = error instanceof Error && !(error instanceof TypeError)
    showError(input, isRefusal ? error.message : 'The upload failed. Check your connection and try again.')
  } finally {
    // They would be sent again with the form.
    input.value = ''
  }
}

/** Isolated, so that direction marks in a name do not affect the words after it. */
const nameOf = (file: File): HTMLElement => element('bdi', {}, file.name)

/** Shows the error of an upload at its question; `''` clears it. */
function showError(input: HTMLInputElement, message: string): void {
  const line = input.closest('[data-question]')?.querySelector('[data-error-line]')
  line?.replaceChildren(...(message ? [element('span', { class: 'sr-only' }, 'Error: '), message] : []))
  input.setAttribute('aria-invalid', String(message !== ''))
  const described = input.getAttribute('aria-describedby')?.split(' ') ?? []
  if (line) input.setAttribute('aria-describedby', [...new Set([...described, line.id])].join(' '))
}

/** Sends a file. Checked before, since the server closes the connection on a body that is far too large. */
async function upload(form: HTMLFormElement, questionId: string, file: File): Promise<UploadedFile> {
  const maxBytes = Number(form.dataset.fileMaxBytes ?? Number.POSITIVE_INFINITY)
  if (file.size > maxBytes) throw new Error(tooLarge(maxBytes))
  const body = new FormData()
  body.append('question_id', questionId)
  body.append('file', file)
  const response = await fetch(`${form.dataset.root}/files`, {
    method: 'POST',
    body,
    headers: { accept: 'application/json' },
  })
  const { data, error } = (await response.json()) as UploadResponse
  if (!data) throw new Error(error?.message ?? 'The upload failed.')
  return data
}

function addKept(input: HTMLInputElement, { id, name, size }: UploadedFile): void {
  const box = element('input', { type: 'checkbox', name: input.name, value: id, 'data-kept': '' })
  box.checked = true
  const label = element('label', { class: 'option' }, box, element('span', { dir: 'auto' }, name))
  const row = element(
    'div',
    { class: 'file' },
    label,
    element('span', { class: 'size', ...english }, sizeText(size)),
  )
  input.closest('[data-question]')?.querySelector('[data-kept-files]')?.append(row)
  box.dispatchEvent(new Event('change', { bubbles: true }))
}
