import { numericBounds, type Question } from '../../domain/question/index.ts'
import { fieldName, partName } from '../form-answers.ts'
import { type Control, described, inputField } from './control.ts'
import { attributes, html } from './html.ts'

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

export const shortText = inputControl({ type: 'text' })
export const emailInput = inputControl({
  type: 'email',
  autocomplete: 'email',
  placeholder: 'name@example.com',
})
export const urlInput = inputControl({ type: 'url', autocomplete: 'url', placeholder: 'https://example.com' })
export const phoneInput = inputControl({ type: 'tel', autocomplete: 'tel' })
export const dateInput = boundedControl('date', 'YYYY-MM-DD')
export const timeInput = boundedControl('time', 'HH:MM')

export const longText: Control = {
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

export const addressFields: Control = {
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
