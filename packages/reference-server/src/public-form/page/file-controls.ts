import { numericBounds, type Question } from '../../domain/question/index.ts'
import { fieldName } from '../form-answers.ts'
import { sizeText } from '../texts.ts'
import { type Control, type ControlCall, described, option } from './control.ts'
import { attributes, flag, type Html, html } from './html.ts'

/** Returns a checkbox for each uploaded file of a draft or a refused form post. Unchecking it removes the file. */
function keptFiles({ question, fields, file, language }: ControlCall): Html {
  const name = fieldName(question)
  const kept = fields.texts(name).flatMap((id) => file(question.id, { id }) ?? [])
  const rows = kept.map(({ id, name: fileName, size }) => {
    const box = html`<input type="checkbox" name="${name}" value="${id}" checked data-kept="">`
    return html`<div class="file">${option(fileName, box)}<span class="size"${language.english}>${sizeText(size)}</span></div>`
  })
  return html`<div class="kept" data-kept-files="" role="group" aria-label="Files added">${rows}</div>`
}

function upload(call: ControlCall, more: Readonly<Record<string, string>>, multiple: boolean): Html {
  const { question, elementId } = call
  const own = attributes({
    id: elementId,
    name: fieldName(question),
    type: 'file',
    'data-upload': question.id,
    ...more,
  })
  return html`<input${own}${flag('multiple', multiple)}${described(call)}>`
}

function countHint(question: Question): string {
  const { min, max } = numericBounds(question)
  if (Number.isFinite(max)) return max === 1 ? 'One file.' : `Up to ${max} files.`
  return min > 1 ? `At least ${min} files.` : ''
}

export const fileUpload: Control = {
  kind: 'single',
  hint: countHint,
  render: (call) => {
    const multiple = numericBounds(call.question).max > 1
    return html`${keptFiles(call)}<div class="upload">${upload(call, {}, multiple)}</div>`
  },
}

/** The script adds a drawing pad. Without it, and by keyboard, a picture is uploaded. */
export const signature: Control = {
  kind: 'single',
  hint: () => 'Upload a picture of your signature.',
  render: (call) =>
    html`<div class="signature" data-signature="">${keptFiles(call)}${upload(call, { accept: 'image/*' }, false)}</div>`,
}
