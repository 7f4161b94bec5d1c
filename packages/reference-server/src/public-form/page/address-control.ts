import { partName } from '../form-answers.ts'
import type { Control } from './control.ts'
import { attributes, html } from './html.ts'

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
