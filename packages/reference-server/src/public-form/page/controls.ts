import type { KnownQuestionType } from '@formwire/contract'
import { numericBounds, type Question } from '../../domain/question/index.ts'
import { fieldName, partName } from '../form-answers.ts'
import { sizeText } from '../texts.ts'
import { checkboxes, dropdown, gridMultiple, gridSingle, radioButtons, ranking } from './choice-controls.ts'
import { type Control, type ControlCall, described, inputField, option } from './control.ts'
import { attributes, flag, type Html, html } from './html.ts'

function lengthHint(question: Question): string {
  const { min, max } = numericBounds(question)
  const characters = (count: number) => `${count} character${count === 1 ? '' : 's'}`
  if (min > 0 && Number.isFinite(max)) return `${min} to ${characters(max)}.`
  if (min > 0) return `At least ${characters(min)}.`
  return Number.isFinite(max) ? `At most ${characters(max)}.` : ''
}

const inputControl = (fixed: Readonly<Record<string, string>>): Control => ({
  kind: 'single',
  hint: lengthHint,
  render: (call) => inputField(call, fixed, call.language.typed),
})

function boundedControl(type: 'date' | 'time', placeholder: string): Control {
  return {
    kind: 'single',
    hint: ({ min, max }) => {
      if (min !== undefined && max !== undefined) return `From ${min} to ${max}.`
      if (min !== undefined) return `${min} or later.`
      return max !== undefined ? `${max} or earlier.` : ''
    },
    render: (call) => {
      const { min, max } = call.question
      return inputField(call, { type, min, max }, '', { placeholder })
    },
  }
}

const longText: Control = {
  kind: 'single',
  hint: lengthHint,
  render: (call) => {
    const { question, elementId, fields, language } = call
    const name = fieldName(question)
    // HTML parsers drop a line end after the opening tag, so add one.
    return html`<textarea${attributes({ id: elementId, name, rows: 4 })}${described(call)}${language.typed}>
${fields.text(name)}</textarea>`
  },
}

const PARTS = [
  ['line1', 'Address line 1', 'address-line1'],
  ['line2', 'Address line 2', 'address-line2'],
  ['city', 'City', 'address-level2'],
  ['region', 'State or region', 'address-level1'],
  ['postal', 'Postal code', 'postal-code'],
  ['country', 'Country', 'country-name'],
] as const

const addressFields: Control = {
  kind: 'group',
  render: ({ question, elementId, fields, language }) => {
    const parts = PARTS.map(([part, label, autocomplete]) => {
      const id = `${elementId}-${part}`
      const name = partName(question, part)
      const own = attributes({ id, name, type: 'text', autocomplete, value: fields.text(name) })
      return html`<div class="part part-${part}"><label for="${id}"${language.english}>${label}</label><input${own}${language.typed}></div>`
    })
    return html`<div class="address">${parts}</div>`
  },
}

/** Maximum number of steps that are shown as buttons; a longer scale gets a number field. */
const MAX_STEPS = 21

function rangeHint(question: Question): string {
  const { min, max } = numericBounds(question)
  if (Number.isFinite(min) && Number.isFinite(max)) return `From ${min} to ${max}.`
  if (Number.isFinite(min)) return `${min} or more.`
  return Number.isFinite(max) ? `${max} or less.` : ''
}

/**
 * A number field. It is a text field with a numeric keyboard: browsers clear invalid input from `type="number"`, so the
 * error page could not show it.
 */
const numberInput: Control = {
  kind: 'single',
  hint: rangeHint,
  render: (call) => inputField(call, { type: 'text', inputmode: 'decimal' }, html` autocomplete="off"`),
}

/** Returns the steps of a scale; `undefined` if there are too many for buttons. */
function stepsOf(question: Question): readonly number[] | undefined {
  const { min, max } = numericBounds(question)
  if (!(max - min < MAX_STEPS)) return undefined
  return Array.from({ length: max - min + 1 }, (_, index) => min + index)
}

/** Steps as buttons, without the dots of radio buttons. */
const steps: Control = {
  kind: 'group',
  render: (call) => {
    const values = stepsOf(call.question) ?? []
    const buttons = values.map((step) => option(String(step), stepInput(call, step), 'step'))
    return html`<div class="steps">${buttons}</div>`
  },
}

/** Maximum number of stars in one row on a phone. */
const MAX_STARS = 10

const STAR = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 2.6l2.9 6 6.5.9-4.7 4.6 1.1 6.5-5.8-3.1-5.8 3.1 1.1-6.5L2.6 9.5l6.5-.9z"/></svg>`

/** A star for each step. */
const stars: Control = {
  kind: 'group',
  render: (call) => {
    const buttons = (stepsOf(call.question) ?? []).map(
      (step) =>
        html`<label class="star">${STAR}${stepInput(call, step)}<span class="sr-only">${step}</span></label>`,
    )
    return html`<div class="stars">${buttons}</div>`
  },
}

function stepInput({ question, fields }: ControlCall, step: number): Html {
  const name = fieldName(question)
  return html`<input${attributes({ type: 'radio', name, value: step })}${flag('checked', fields.text(name) === String(step))}>`
}

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

function filesHint(question: Question): string {
  const { min, max } = numericBounds(question)
  if (Number.isFinite(max)) return max === 1 ? 'One file.' : `Up to ${max} files.`
  return min > 1 ? `At least ${min} files.` : ''
}

const fileUpload: Control = {
  kind: 'single',
  hint: filesHint,
  render: (call) => {
    const multiple = numericBounds(call.question).max > 1
    return html`${keptFiles(call)}<div class="upload">${upload(call, {}, multiple)}</div>`
  },
}

/** The script adds a drawing pad. Without it, and by keyboard, a picture is uploaded. */
const signature: Control = {
  kind: 'single',
  hint: () => 'Upload a picture of your signature.',
  render: (call) =>
    html`<div class="signature" data-signature="">${keptFiles(call)}${upload(call, { accept: 'image/*' }, false)}</div>`,
}

const CONTROLS: Readonly<Record<KnownQuestionType, Control>> = {
  short_text: inputControl({ type: 'text' }),
  long_text: longText,
  email: inputControl({ type: 'email', autocomplete: 'email', placeholder: 'name@example.com' }),
  url: inputControl({ type: 'url', autocomplete: 'url', placeholder: 'https://example.com' }),
  phone: inputControl({ type: 'tel', autocomplete: 'tel' }),
  date: boundedControl('date', 'YYYY-MM-DD'),
  time: boundedControl('time', 'HH:MM'),
  number: numberInput,
  scale: steps,
  rating: steps,
  nps: { ...steps, ends: ['Not at all likely', 'Extremely likely'] },
  slider: numberInput,
  single_choice: radioButtons,
  multiple_choice: checkboxes,
  dropdown,
  yes_no: radioButtons,
  ranking,
  grid_single: gridSingle,
  grid_multiple: gridMultiple,
  file: fileUpload,
  signature,
  address: addressFields,
}

/** Returns the control of a question. A scale with too many steps for buttons gets a number field, a rating from one stars. */
export function controlOf(question: Question): Control {
  const control = CONTROLS[question.type]
  if (control.render !== steps.render) return control
  if (!stepsOf(question)) return numberInput
  const { min, max } = numericBounds(question)
  return question.type === 'rating' && min === 1 && max >= 2 && max <= MAX_STARS ? stars : control
}
