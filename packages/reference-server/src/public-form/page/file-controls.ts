import { numericBounds, type Question } from '../../domain/question/index.ts'
import { fieldName } from '../form-answers.ts'
import { type Control, type ControlCall, described, option } from './control.ts'
import { attributes, flag, type Html, html } from './html.ts'

/** Files that are there already (a draft's, or those of a form post with errors): each stays unless it is unchecked. */
function keptFiles({ question, fields, file }: ControlCall): Html {
  const name = fieldName(question)
  const kept = fields.texts(name).flatMap((id) => file(question.id, { id }) ?? [])
  const boxes = kept.map(({ id, name: fileName }) =>
    option(fileName, html`<input type="checkbox" name="${name}" value="${id}" checked data-kept="">`),
  )
  return html`<div class="kept" data-kept-files="" role="group" aria-label="Files added">${boxes}</div>`
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
  render: (call) => html`${keptFiles(call)}${upload(call, {}, numericBounds(call.question).max > 1)}`,
}

/** The script puts a pad to draw on before the upload; without it, and by keyboard, a picture is uploaded. */
export const signature: Control = {
  kind: 'single',
  hint: () => 'Upload a picture of your signature.',
  render: (call) =>
    html`<div class="signature" data-signature="">${keptFiles(call)}${upload(call, { accept: 'image/*' }, false)}</div>`,
}
