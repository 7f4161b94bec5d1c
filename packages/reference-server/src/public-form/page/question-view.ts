import type { FileLookup, Question } from '../../domain/question/index.ts'
import { answerText, numericBounds } from '../../domain/question/index.ts'
import type { FormFields } from '../form-fields.ts'
import type { Ends } from './control.ts'
import { controlOf } from './controls.ts'
import { flag, type Html, html } from './html.ts'
import type { PageLanguage } from './language.ts'

export interface QuestionView {
  readonly question: Question
  /** Position in the form, from 0. */
  readonly index: number
  /** The question that `show_if` refers to. */
  readonly controlling: Question | undefined
  readonly fields: FormFields
  readonly file: FileLookup
  readonly error: string | undefined
  /** Whether the error is the only one of the page, which then opens at it. */
  readonly focused: boolean
  readonly language: PageLanguage
}

/** Returns the id of the element that the error summary links to. */
export const questionElementId = (index: number): string => `question-${index + 1}`

/** Renders a question: title, hint, error and fields, linked for assistive technology. */
export function questionView(view: QuestionView): Html {
  const { question, index, fields, file, error, focused, language } = view
  const { english } = language
  const control = controlOf(question)
  const id = questionElementId(index)
  const elementId = control.kind === 'single' ? id : `${id}-field`
  const hint = control.hint?.(question) ?? ''
  const describedBy =
    [hint && `${id}-hint`, control.ends && `${id}-ends`, error && `${id}-error`].filter(Boolean).join(' ') ||
    undefined
  const invalid = error !== undefined
  const title = html`<span class="title" dir="auto">${question.title}</span>${question.required && html` <span class="required"${english}>(required)</span>`}`
  const about = html`${condition(view)}${hint && html`<p class="hint" id="${id}-hint"${english}>${hint}</p>`}${errorLine(id, error, language)}`
  const body = control.render({ question, elementId, fields, file, describedBy, invalid, focused, language })
  if (control.kind === 'single') {
    return html`<div class="question" data-question="${question.id}"><label for="${id}">${title}</label>${about}${body}</div>
`
  }
  const describes = describedBy === undefined ? '' : html` aria-describedby="${describedBy}"`
  const ends = control.ends && endsLine(view, control.ends)
  return html`<fieldset class="question" id="${id}" tabindex="-1" data-question="${question.id}"${describes}${flag('autofocus', focused)}><legend>${title}</legend>${about}${body}${ends}</fieldset>
`
}

/** The style sheet puts the step before each text where the steps need more than one row. */
function endsLine({ question, index, language: { english } }: QuestionView, [first, last]: Ends): Html {
  const { min, max } = numericBounds(question)
  return html`<p class="ends" id="${questionElementId(index)}-ends"><span data-step="${min}"${english}>${first}</span> <span data-step="${max}"${english}>${last}</span></p>`
}

/** Rendered empty without an error, for the script to fill in. */
const errorLine = (id: string, error: string | undefined, { english }: PageLanguage): Html =>
  html`<p class="error" id="${id}-error" data-error-line=""${english}>${error !== undefined && html`<span class="sr-only">Error: </span>${error}`}</p>`

/** States the condition of a question, since all questions are shown without the script. */
function condition({ question, controlling, language: { english } }: QuestionView): Html | string {
  if (question.show_if === undefined || controlling === undefined) return ''
  const answer = answerText(controlling, question.show_if.equals)
  if (english.text === '')
    return html`<p class="condition" dir="auto">Only if you answered “${answer}” to “${controlling.title}”</p>`
  return html`<p class="condition"${english}>Only if you answered “<bdi>${answer}</bdi>” to “<bdi>${controlling.title}</bdi>”</p>`
}
