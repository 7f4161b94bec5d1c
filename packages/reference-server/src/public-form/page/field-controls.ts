import { numericBounds, type Question } from '../../domain/question/index.ts'
import { fieldName, partName } from '../form-answers.ts'
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
export const numberInput: Control = {
  kind: 'single',
  hint: rangeHint,
  render: (call) => inputField(call, { type: 'text', inputmode: 'decimal' }, html` autocomplete="off"`),
}

/** Returns the steps of a scale; `undefined` if there are too many for buttons. */
export function stepsOf(question: Question): readonly number[] | undefined {
  const { min, max } = numericBounds(question)
  if (!(max - min < MAX_STEPS)) return undefined
  return Array.from({ length: max - min + 1 }, (_, index) => min + index)
}

/** Steps as buttons, without the dots of radio buttons. */
export const steps: Control = {
  kind: 'group',
  render: (call) => {
    const values = stepsOf(call.question) ?? []
    const buttons = values.map((step) => option(String(step), stepInput(call, step), 'step'))
    return html`<div class="steps">${buttons}</div>`
  },
}

export const npsSteps: Control = { ...steps, ends: ['Not at all likely', 'Extremely likely'] }

/** Maximum number of stars in one row on a phone. */
const MAX_STARS = 10

/** Whether a rating counts stars from one. */
export function isStarRating(question: Question): boolean {
  const { min, max } = numericBounds(question)
  return question.type === 'rating' && min === 1 && max >= 2 && max <= MAX_STARS
}

const STAR = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 2.6l2.9 6 6.5.9-4.7 4.6 1.1 6.5-5.8-3.1-5.8 3.1 1.1-6.5L2.6 9.5l6.5-.9z"/></svg>`

/** A star for each step. */
export const stars: Control = {
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
