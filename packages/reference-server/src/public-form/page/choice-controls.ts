import { numericBounds, type Question } from '../../domain/question/index.ts'
import { MAX_RANKING_LISTS } from '../../domain/question/page-length.ts'
import { fieldName, partName } from '../form-answers.ts'
import { type Control, type ControlCall, described, option } from './control.ts'
import { attributes, flag, type Html, html } from './html.ts'

/** Returns the free-text field for another answer. */
function otherField({ question, elementId, fields }: ControlCall, label: string): Html {
  const name = partName(question, 'other')
  const own = attributes({ id: `${elementId}-other`, name, type: 'text', value: fields.text(name) })
  return html`<span class="other"><label for="${elementId}-other">${label}</label><input${own} data-other="" dir="auto"></span>`
}

function choices(type: 'radio' | 'checkbox'): Control['render'] {
  return (call) => {
    const { question, fields } = call
    const name = fieldName(question)
    const chosen = new Set(fields.texts(name))
    const buttons = (question.options ?? []).map(({ id, label }) =>
      option(label, html`<input${attributes({ type, name, value: id })}${flag('checked', chosen.has(id))}>`),
    )
    if (!question.allow_other) return html`<div class="options">${buttons}</div>`
    const isOther = fields.text(partName(question, 'other')) !== ''
    // An empty value is ignored by the server; this radio button only deselects the options.
    const none = html`<input type="radio" name="${name}" value=""${flag('checked', isOther && chosen.size === 0)} data-is-other="">`
    return html`<div class="options">${buttons}${type === 'radio' && option('Other', none)}${otherField(call, type === 'radio' ? 'Please specify' : 'Other (please specify)')}</div>`
  }
}

function countHint(question: Question): string {
  const { min, max } = numericBounds(question)
  if (min > 0 && Number.isFinite(max)) return min === max ? `Choose ${min}.` : `Choose ${min} to ${max}.`
  if (min > 0) return `Choose at least ${min}.`
  return Number.isFinite(max) ? `Choose at most ${max}.` : 'Choose any that apply.'
}

export const radioButtons: Control = { kind: 'group', render: choices('radio') }
export const checkboxes: Control = { kind: 'group', hint: countHint, render: choices('checkbox') }

function selectOptions(question: Question, chosen: string | undefined, none: string): Html[] {
  return [
    html`<option value="">${none}</option>`,
    ...(question.options ?? []).map(
      ({ id, label }) => html`<option value="${id}"${flag('selected', id === chosen)}>${label}</option>`,
    ),
  ]
}

export const dropdown: Control = {
  kind: 'single',
  render: (call) => {
    const { question, elementId, fields } = call
    const name = fieldName(question)
    const select = html`<select${attributes({ id: elementId, name })}${described(call)}>${selectOptions(question, fields.text(name), 'Choose…')}</select>`
    return question.allow_other ? html`${select}${otherField(call, 'Other (please specify)')}` : select
  },
}

/** `1st`, `2nd`, `11th`. */
function ordinal(count: number): string {
  const isTeen = count % 100 >= 11 && count % 100 <= 13
  return `${count}${(!isTeen && ['th', 'st', 'nd', 'rd'][count % 10]) || 'th'}`
}

/** Returns a number field beside each option, for a ranking that is too long for select lists. */
function typedPlaces({ question, elementId, fields }: ControlCall): Html {
  const ranked = new Map(
    [...fields.texts(fieldName(question))].reverse().map((id, last, all) => [id, all.length - last]),
  )
  const places = (question.options ?? []).map((choice, index) => {
    const id = `${elementId}-place-${index + 1}`
    const name = partName(question, choice.id)
    const value = ranked.get(choice.id) ?? fields.text(name)
    const own = attributes({ id, name, type: 'text', inputmode: 'numeric', autocomplete: 'off', value })
    return html`<li><input${own}><label for="${id}" dir="auto">${choice.label}</label></li>`
  })
  return html`<ul class="places typed">${places}</ul>`
}

/** One select list per place, in order, so that the submitted values are the ranking. */
export const ranking: Control = {
  kind: 'group',
  hint: () => 'Rank from most to least preferred.',
  render: (call) => {
    const { question, elementId, fields } = call
    if ((question.options?.length ?? 0) > MAX_RANKING_LISTS) return typedPlaces(call)
    const name = fieldName(question)
    const ranked = fields.texts(name)
    const places = (question.options ?? []).map((_, index) => {
      const id = `${elementId}-place-${index + 1}`
      const label = `${ordinal(index + 1)} place`
      const select = html`<select id="${id}" name="${name}" data-place="">${selectOptions(question, ranked[index], '–')}</select>`
      return html`<li><label for="${id}">${label}</label>${select}</li>`
    })
    return html`<ol class="places">${places}</ol>`
  },
}
