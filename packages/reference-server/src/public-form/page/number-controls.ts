import { numericBounds, type Question } from '../../domain/question/index.ts'
import { fieldName } from '../form-answers.ts'
import { type Control, type ControlCall, inputField, option } from './control.ts'
import { attributes, flag, type Html, html } from './html.ts'

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

/** Maximum number of steps per row on a phone and on a wide screen, by the longest label in characters. */
const MAX_PER_ROW = [
  { characters: 2, narrow: 7, wide: 11 },
  { characters: 4, narrow: 5, wide: 8 },
  { characters: Number.POSITIVE_INFINITY, narrow: 3, wide: 6 },
] as const

/** Returns the number of steps per row that fills the rows evenly: 6 and 5, not 7 and 4. */
const columns = (count: number, most: number): number => Math.ceil(count / Math.ceil(count / most))

function layout(values: readonly number[]): { 'data-narrow': number; 'data-wide': number } {
  const longest = Math.max(...values.map((value) => String(value).length))
  const most = MAX_PER_ROW.find(({ characters }) => longest <= characters) ?? MAX_PER_ROW[2]
  return {
    'data-narrow': columns(values.length, most.narrow),
    'data-wide': columns(values.length, most.wide),
  }
}

/** Steps as buttons, without the dots of radio buttons. */
export const steps: Control = {
  kind: 'group',
  render: (call) => {
    const values = stepsOf(call.question) ?? []
    const buttons = values.map((step) => option(String(step), stepInput(call, step), 'step'))
    return html`<div class="steps"${attributes(layout(values))}>${buttons}</div>`
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
