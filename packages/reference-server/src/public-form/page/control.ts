import type { FileLookup, Question } from '../../domain/question/index.ts'
import type { FormFields } from '../form-fields.ts'
import { attributes, type Html, html } from './html.ts'

/** What is drawn of a question: its fields, filled with what the respondent has said so far. */
export interface ControlCall {
  readonly question: Question
  /** Unique in the page and free of anything that the form's author wrote. */
  readonly elementId: string
  readonly fields: FormFields
  /** Finds the uploads that the fields name. */
  readonly file: FileLookup
  /** Ids of the hint and the error, for `aria-describedby`; `undefined` without either. */
  readonly describedBy: string | undefined
  readonly invalid: boolean
}

/**
 * How a question type is shown. `single` has one field, whose element id is the call's, and a label; `group` has several
 * and stands in a fieldset with a legend.
 */
export interface Control {
  readonly kind: 'single' | 'group'
  /** Said below the title. */
  readonly hint?: (question: Question) => string
  readonly render: (call: ControlCall) => Html
}

/** Attributes of a field that tell assistive technology of its hint and error. */
export const described = ({ describedBy, invalid }: ControlCall): Html =>
  attributes({ 'aria-describedby': describedBy, 'aria-invalid': invalid ? 'true' : undefined })

/** A radio button or checkbox with its label. */
export function option(label: string, input: Html, className = 'option'): Html {
  return html`<label class="${className}">${input}<span dir="auto">${label}</span></label>`
}
