import type { FileLookup, Question } from '../../domain/question/index.ts'
import type { FormFields } from '../form-fields.ts'
import { attributes, type Html, html } from './html.ts'

/** The arguments to render a question's fields. */
export interface ControlCall {
  readonly question: Question
  /** Unique in the page; contains no text of the form's author. */
  readonly elementId: string
  readonly fields: FormFields
  /** Finds the uploads named by the fields. */
  readonly file: FileLookup
  /** Ids of the hint and the error, for `aria-describedby`; `undefined` without both. */
  readonly describedBy: string | undefined
  readonly invalid: boolean
}

/**
 * Renders a question type. `single` has one field, with the element id of the call, and a label; `group` has several
 * fields in a fieldset with a legend.
 */
export interface Control {
  readonly kind: 'single' | 'group'
  /** Shown below the title. */
  readonly hint?: (question: Question) => string
  readonly render: (call: ControlCall) => Html
}

/** Returns the attributes that link a field to its hint and error for assistive technology. */
export const described = ({ describedBy, invalid }: ControlCall): Html =>
  attributes({ 'aria-describedby': describedBy, 'aria-invalid': invalid ? 'true' : undefined })

/** A radio button or checkbox with its label. */
export function option(label: string, input: Html, className = 'option'): Html {
  return html`<label class="${className}">${input}<span dir="auto">${label}</span></label>`
}
