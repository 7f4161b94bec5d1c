import { numericBounds, type Question } from '../../domain/question/index.ts'
import { fieldName, otherId, partName } from '../form-answers.ts'
import { type Control, described, option, otherField } from './control.ts'
import { attributes, escapeHtml, flag, Html, html } from './html.ts'

function choices(type: 'radio' | 'checkbox'): Control['render'] {
  return (call) => {
    const { question, fields, language } = call
    const name = fieldName(question)
    const chosen = new Set(fields.texts(name))
    const buttons = (question.options ?? []).map(({ id, label }) =>
      option(label, html`<input${attributes({ type, name, value: id })}${flag('checked', chosen.has(id))}>`),
    )
    if (!question.allow_other) return html`<div class="options">${buttons}</div>`
    const other = fields.text(partName(question, 'other'))
    const value = otherId(question)
    const isChosen = chosen.has(value) || (other !== '' && (type === 'checkbox' || chosen.size === 0))
    const opener = html`<label class="option"><input${attributes({ type, name, value })}${flag('checked', isChosen)} data-is-other=""><span${language.english}>Other</span></label>`
    return html`<div class="options">${buttons}${opener}${otherField(call, partName(question, 'other'), other)}</div>`
  }
}

function countHint(question: Question): string {
  const { min, max } = numericBounds(question)
  if (min > 0 && Number.isFinite(max)) return min === max ? `Choose ${min}.` : `Choose ${min} to ${max}.`
  if (min > 0) return `Choose at least ${min}.`
  return Number.isFinite(max) ? `Choose at most ${max}.` : 'Choose all that apply.'
}

export const radioButtons: Control = { kind: 'group', render: choices('radio') }
export const checkboxes: Control = { kind: 'group', hint: countHint, render: choices('checkbox') }

export const dropdown: Control = {
  kind: 'single',
  render: (call) => {
    const { question, elementId, fields, language } = call
    const name = fieldName(question)
    const chosen = fields.text(name)
    const options = (question.options ?? []).map(
      ({ id, label }) => html`<option value="${id}"${flag('selected', id === chosen)}>${label}</option>`,
    )
    const none = html`<option value=""${language.english}>Choose…</option>`
    const own = html`${attributes({ id: elementId, name })}${described(call)}`
    if (!question.allow_other) return html`<select${own}>${none}${options}</select>`
    const other = fields.text(partName(question, 'other'))
    const value = otherId(question)
    const isChosen = chosen === value || (other !== '' && chosen === '')
    const opener = html`<option value="${value}"${flag('selected', isChosen)} data-is-other=""${language.english}>Other (please specify)</option>`
    return html`<select${own}>${none}${options}${opener}</select>${otherField(call, partName(question, 'other'), other)}`
  },
}

/** A number field beside each option: its rank. One place more than once is not a ranking, which the validation says. */
export const ranking: Control = {
  kind: 'group',
  hint: () => 'Rank from most to least preferred: 1, 2, 3 …',
  render: ({ question, elementId, fields }) => {
    const ranked = fields.texts(fieldName(question))
    const places = (question.options ?? []).map((choice, index) => {
      const id = `${elementId}-place-${index + 1}`
      const name = partName(question, choice.id)
      const value = ranked.indexOf(choice.id) + 1 || fields.text(name)
      const own = attributes({ id, name, type: 'text', inputmode: 'numeric', autocomplete: 'off', value })
      return html`<li><input${own}><label for="${id}"><bdi>${choice.label}</bdi></label></li>`
    })
    return html`<ul class="places">${places}</ul>`
  },
}

/** Renders each row as a fieldset with its label as legend, for screen readers and narrow screens. */
function gridControl(type: 'radio' | 'checkbox', hint: string): Control {
  return {
    kind: 'group',
    hint: () => hint,
    render: ({ question, fields }) => {
      // Everything but the name is rendered once, since a large grid repeats it in hundreds of rows.
      const columns = (question.columns ?? []).map(({ id, label }) => ({
        id,
        start: `<label class="cell"><input type="${type}" name="`,
        value: `"${attributes({ value: id }).text}`,
        end: html`><span dir="auto">${label}</span></label>`.text,
      }))
      const rows = (question.rows ?? []).map((row) => {
        const name = partName(question, row.id)
        const chosen = new Set(fields.texts(name))
        const escaped = escapeHtml(name)
        let cells = ''
        for (const { id, start, value, end } of columns)
          cells += start + escaped + value + flag('checked', chosen.has(id)).text + end
        return html`<fieldset class="row"><legend><bdi>${row.label}</bdi></legend><div class="cells">${new Html(cells)}</div></fieldset>`
      })
      return html`<div class="grid">${rows}</div>`
    },
  }
}

export const gridSingle = gridControl('radio', 'Choose one in each row.')
export const gridMultiple = gridControl('checkbox', 'Choose all that apply in each row.')
