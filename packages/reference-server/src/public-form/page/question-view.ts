import type { FileLookup, Question } from '../../domain/question/index.ts'
import { answerText } from '../../domain/question/index.ts'
import type { FormFields } from '../form-fields.ts'
import { controlOf } from './controls.ts'
import { type Html, html } from './html.ts'

export interface QuestionView {
  readonly question: Question
  /** Position in the form, from 0. */
  readonly index: number
  /** The question that `show_if` refers to. */
  readonly controlling: Question | undefined
  readonly fields: FormFields
  readonly file: FileLookup
  readonly error: string | undefined
}

/** Returns the id of the element that the error summary links to. */
export const questionElementId = (index: number): string => `question-${index + 1}`

/** Renders a question: title, hint, error and fields, linked for assistive technology. */
export function questionView({ question, index, controlling, fields, file, error }: QuestionView): Html {
  const control = controlOf(question)
  const id = questionElementId(index)
  const elementId = control.kind === 'single' ? id : `${id}-field`
  const hint = control.hint?.(question) ?? ''
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  const invalid = error !== undefined
  const title = html`<span class="title" dir="auto">${question.title}</span>${question.required && html` <span class="required">(required)</span>`}`
  const about = html`${condition(question, controlling)}${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}${errorLine(id, error)}`
  const body = control.render({ question, elementId, fields, file, describedBy, invalid })
  if (control.kind === 'single') {
    return html`<div class="question" data-question="${question.id}"><label for="${id}">${title}</label>${about}${body}</div>
`
  }
  const describes = describedBy === undefined ? '' : html` aria-describedby="${describedBy}"`
  return html`<fieldset class="question" id="${id}" tabindex="-1" data-question="${question.id}"${describes}><legend>${title}</legend>${about}${body}</fieldset>
`
}

/** Rendered empty without an error, for the script to fill in. */
const errorLine = (id: string, error: string | undefined): Html =>
  html`<p class="error" id="${id}-error" data-error-line="">${error !== undefined && html`<span class="sr-only">Error: </span>${error}`}</p>`

/** States the condition of a question, since all questions are shown without the script. */
function condition(question: Question, controlling: Question | undefined): Html | string {
  if (question.show_if === undefined || controlling === undefined) return ''
  const answer = answerText(controlling, question.show_if.equals)
  return html`<p class="condition" dir="auto">Only if you answered “${controlling.title}” with “${answer}”.</p>`
}
