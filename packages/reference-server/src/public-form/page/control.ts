import type { FileLookup, Question } from '../../domain/question/index.ts'
import { fieldName } from '../form-answers.ts'
import type { FormFields } from '../form-fields.ts'
import { type Attributes, attributes, flag, type Html, type HtmlPart, html } from './html.ts'
import type { PageLanguage } from './language.ts'

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
  /** Whether its error is the only one of the page, which then opens at it. */
  readonly focused: boolean
  readonly language: PageLanguage
}

/** What the first and the last step of a scale mean. */
export type Ends = readonly [first: string, last: string]

/**
 * Renders a question type. `single` has one field, with the element id of the call, and a label; `group` has several
 * fields in a fieldset with a legend.
 */
export interface Control {
  readonly kind: 'single' | 'group'
  /** Shown below the title. */
  readonly hint?: (question: Question) => string
  readonly ends?: Ends
  readonly render: (call: ControlCall) => Html
}

/** Returns the attributes that link a field to its hint and error for assistive technology. */
export const described = ({ describedBy, invalid, focused }: ControlCall): Html =>
  html`${attributes({ 'aria-describedby': describedBy, 'aria-invalid': invalid ? 'true' : undefined })}${flag('autofocus', focused)}`

/** A field of one line. Its value comes after the `first` attributes. */
export function inputField(
  call: ControlCall,
  first: Attributes,
  tail: HtmlPart = '',
  last: Attributes = {},
): Html {
  const { question, elementId: id, fields } = call
  const name = fieldName(question)
  const own = attributes({ id, name, ...first, value: fields.text(name), ...last })
  return html`<input${own}${described(call)}${tail}>`
}

/** A radio button or checkbox with its label. */
export function option(label: string, input: Html, className = 'option'): Html {
  return html`<label class="${className}">${input}<span dir="auto">${label}</span></label>`
}

/** The field for the text of another answer. The style sheet shows it once "Other" is chosen, or if it has a text. */
export function otherField({ elementId, language }: ControlCall, name: string, value: string): Html {
  // Without a placeholder, a style sheet cannot tell an empty field.
  const own = attributes({ id: `${elementId}-other`, name, type: 'text', placeholder: ' ', value })
  return html`<div class="other"><label for="${elementId}-other"${language.english}>Please specify</label><input${own} data-other=""${language.typed}></div>`
}
