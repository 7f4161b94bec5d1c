import { partName } from '../form-answers.ts'
import { type Control, option } from './control.ts'
import { attributes, flag, html } from './html.ts'

/** Each row is a group of its own, named by its label: it reads well aloud, and folds on a phone. */
function gridControl(type: 'radio' | 'checkbox', hint: string): Control {
  return {
    kind: 'group',
    hint: () => hint,
    render: ({ question, fields }) => {
      const rows = (question.rows ?? []).map((row) => {
        const name = partName(question, row.id)
        const chosen = fields.texts(name)
        const cells = (question.columns ?? []).map(({ id, label }) =>
          option(
            label,
            html`<input${attributes({ type, name, value: id })}${flag('checked', chosen.includes(id))}>`,
            'cell',
          ),
        )
        return html`<fieldset class="row"><legend dir="auto">${row.label}</legend><div class="cells">${cells}</div></fieldset>`
      })
      return html`<div class="grid">${rows}</div>`
    },
  }
}

export const gridSingle = gridControl('radio', 'Choose one in each row.')
export const gridMultiple = gridControl('checkbox', 'Choose any that apply in each row.')
