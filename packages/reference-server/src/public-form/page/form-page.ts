import type { AnswerRefusal, FileLookup } from '../../domain/question/index.ts'
import type { OutgoingMessage } from '../../http/message.ts'
import { FormFields } from '../form-fields.ts'
import type { OpenForm } from '../open-form.ts'
import { publicQuestion } from '../responses.ts'
import { sendPage } from './document.ts'
import { attributes, type Html, html } from './html.ts'
import { questionElementId, questionView } from './question-view.ts'

export interface FormPage {
  readonly open: OpenForm
  /** Token of the draft to continue. */
  readonly token: string | undefined
  /** `?ref=…&utm_source=…` of the visit, for the form's action; may be empty. */
  readonly query: string
  /** Values to fill in. @default none */
  readonly fields?: FormFields
  readonly file: FileLookup
  /** Size limit of a file, in bytes. */
  readonly fileMaxBytes: number
  /** When the page was first opened, ISO 8601. */
  readonly startedAt: string
  readonly errors?: readonly AnswerRefusal[]
}

/** Returns the page of an open form: 200, or 422 with errors next to their questions. */
export function formPage(page: FormPage): OutgoingMessage {
  const { open, token, query, startedAt, errors = [], fields = new FormFields(), file } = page
  const { title, questions } = open.publication
  const root = `/f/${open.form.slug}`
  const draft = `${root}/drafts${token === undefined ? '' : `/${encodeURIComponent(token)}`}`
  const byId = new Map(questions.map((question) => [question.id, question]))
  const messages = new Map(errors.map((error) => [error.field, error.message]))
  const views = questions.map((question, index) =>
    questionView({
      question,
      index,
      controlling: byId.get(question.show_if?.question_id ?? ''),
      fields,
      file,
      error: messages.get(question.id),
    }),
  )
  const hasLogic = questions.some((question) => question.show_if !== undefined)
  const form = attributes({
    action: `${token === undefined ? root : `${draft}/submit`}${query}`,
    'data-root': root,
    'data-query': query,
    'data-file-max-bytes': Number.isFinite(page.fileMaxBytes) ? page.fileMaxBytes : undefined,
    // For the script, which shows and hides questions.
    'data-questions': JSON.stringify(hasLogic ? questions.map(publicQuestion) : []),
  })
  const main = html`<h1 dir="auto">${title}</h1>
${errors.length > 0 && errorSummary(page, errors)}
<form method="post" enctype="multipart/form-data" novalidate${form}>
<input type="hidden" name="started_at" value="${startedAt}">
${views}
<div class="actions">
<button type="submit" class="primary">Submit</button>
<button type="submit" formaction="${draft}${query}" data-save="">Save and finish later</button>
</div>
<div class="status" role="status" data-status=""></div>
</form>`
  const failed = errors.length > 0
  return sendPage({ status: failed ? 422 : 200, title: failed ? `Error: ${title}` : title, main })
}

/** Receives the focus when the page opens, and links to each question with an error. */
function errorSummary({ open }: FormPage, errors: readonly AnswerRefusal[]): Html {
  const { questions } = open.publication
  const indexes = new Map(questions.map(({ id }, index) => [id, index]))
  const lines = errors.map(({ field, message }) => {
    const index = indexes.get(field) ?? -1
    const question = questions[index]
    if (!question) return html`<li>${message}</li>`
    return html`<li><a href="#${questionElementId(index)}"><span dir="auto">${question.title}</span>: ${message}</a></li>`
  })
  return html`<section class="summary" role="alert" tabindex="-1" autofocus aria-labelledby="summary-title">
<h2 id="summary-title">Please check ${errors.length === 1 ? 'one answer' : `${errors.length} answers`}</h2>
<ul>${lines}</ul>
</section>`
}
