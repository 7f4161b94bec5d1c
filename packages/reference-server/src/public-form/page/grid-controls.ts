import { partName } from '../form-answers.ts'
import type { Control } from './control.ts'
import { attributes, escapeHtml, flag, Html, html } from './html.ts'

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
