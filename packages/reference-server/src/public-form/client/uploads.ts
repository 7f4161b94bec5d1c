import type { UploadedFile } from '@formwire/contract'
import { parseJson } from '@formwire/internal/json'
import { sizeText, tooLarge } from '../texts.ts'
import { all, announce, element, english, showError } from './dom.ts'

interface UploadResponse {
  readonly data?: UploadedFile
  readonly error?: { readonly message: string }
}

/** Uploads files as soon as they are selected and adds a checkbox for each; unchecking it removes the file. */
export function uploadOnSelect(form: HTMLFormElement): void {
  for (const input of all<HTMLInputElement>(form, 'input[type="file"]')) {
    // Signatures are often redrawn, so they are sent with the form.
    if (input.closest('[data-signature]')) continue
    input.addEventListener('change', () => void uploadAll(form, input))
    for (const type of ['dragover', 'dragleave', 'drop'])
      input.addEventListener(type, () => input.classList.toggle('over', type === 'dragover'))
  }
}

async function uploadAll(form: HTMLFormElement, input: HTMLInputElement): Promise<void> {
  const questionId = input.dataset.upload ?? ''
  const files = [...(input.files ?? [])]
  if (files.length === 0) return
  showError(form, questionId, undefined)
  try {
    form.setAttribute('data-busy', '')
    for (const [index, file] of files.entries()) {
      announce(form, 'Uploading ', nameOf(file), ` (${index + 1} of ${files.length})…`)
      addKept(input, await uploadWithProgress(form, input, file))
    }
    if (files.length === 1 && files[0]) announce(form, nameOf(files[0]), ' added.')
    else announce(form, `${files.length} files added.`)
  } catch (error) {
    announce(form, 'The upload failed.')
    showError(form, questionId, error instanceof Error ? error.message : String(error))
  } finally {
    // They would be sent again with the form.
    input.value = ''
    form.removeAttribute('data-busy')
  }
}

/** Isolated, so that direction marks in a name do not affect the words after it. */
const nameOf = (file: File): HTMLElement => element('bdi', {}, file.name)

const listOf = (input: HTMLInputElement): Element | null | undefined =>
  input.closest('[data-question]')?.querySelector('[data-kept-files]')

async function uploadWithProgress(
  form: HTMLFormElement,
  input: HTMLInputElement,
  file: File,
): Promise<UploadedFile> {
  // Checked before sending, since the server closes the connection on a body that is far too large.
  const maxBytes = Number(form.dataset.fileMaxBytes ?? Number.POSITIVE_INFINITY)
  if (file.size > maxBytes) throw new Error(tooLarge(maxBytes))
  const bar = element('progress', { max: '1', value: '0', 'aria-label': `Uploading ${file.name}` })
  const row = element('div', { class: 'file sending' }, nameOf(file), bar)
  listOf(input)?.append(row)
  try {
    return await upload(form, input.dataset.upload ?? '', file, (share) => {
      bar.value = share
    })
  } finally {
    row.remove()
  }
}

/** Sends a file. `fetch` cannot report the progress of a request. */
function upload(
  form: HTMLFormElement,
  questionId: string,
  file: File,
  onProgress: (share: number) => void,
): Promise<UploadedFile> {
  const body = new FormData()
  body.append('question_id', questionId)
  body.append('file', file)
  const request = new XMLHttpRequest()
  request.open('POST', `${form.dataset.root}/files`)
  request.setRequestHeader('accept', 'application/json')
  request.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) => {
    if (lengthComputable) onProgress(loaded / total)
  })
  return new Promise((resolve, reject) => {
    request.addEventListener('load', () => {
      const { data, error } = (parseJson(request.responseText) ?? {}) as UploadResponse
      if (data) resolve(data)
      else reject(new Error(error?.message ?? 'The upload failed.'))
    })
    request.addEventListener('error', () =>
      reject(new Error('The upload failed. Check your connection and try again.')),
    )
    request.send(body)
  })
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
  listOf(input)?.append(row)
  box.dispatchEvent(new Event('change', { bubbles: true }))
}
