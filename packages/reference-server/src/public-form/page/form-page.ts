import type { AnswerRefusal, FileLookup } from '../../domain/question/index.ts'
import type { ServiceError } from '../../domain/service-error.ts'
import type { OutgoingMessage } from '../../http/message.ts'
import { FormFields } from '../form-fields.ts'
import { publicQuestion } from '../open-form.ts'
import { DRAFT_VERSION_FIELD, SUBMIT_TOKEN_FIELD } from '../respond.ts'
import { summaryTitle } from '../texts.ts'
import { heading, type PageForm, type Preview, sendPage } from './document.ts'
import { attributes, flag, type Html, html } from './html.ts'
import { languageOf, type PageLanguage } from './language.ts'
import { draftLink } from './message-pages.ts'
import { questionElementId, questionView } from './question-view.ts'

export interface FormPage {
  readonly of: PageForm
  /** Token of the draft to continue. */
  readonly token: string | undefined
  /** Version of the draft that the page is filled in with. */
  readonly draftVersion?: string | undefined
  /** One-use token of this page. */
  readonly submitToken: string
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
  /** Why the page was refused as a whole. @default 422 for `errors` */
  readonly refusal?: ServiceError | undefined
  /** Heading of the errors. @default by their number */
  readonly summary?: string
  /** Shows the form with disabled buttons. @default a page that accepts responses */
  readonly preview?: Preview
}

/** Returns the page of an open form: 200, or 422 with errors next to their questions. */
export function formPage(page: FormPage): OutgoingMessage {
  const { of, token, query, startedAt, errors = [], fields = new FormFields(), file, preview } = page
  const { title, questions } = of.publication
  const language = languageOf(of.publication)
  const { english } = language
  const root = `/f/${of.form.slug}`
  const draft = token === undefined ? undefined : draftLink(of, token)
  const byId = new Map(questions.map((question) => [question.id, question]))
  const messages = new Map(errors.map((error) => [error.field, error.message]))
  /** A single error needs no summary: the page opens at its question. */
  const only = errors.length === 1 && byId.has(errors[0]?.field ?? '')
  const views = questions.map((question, index) =>
    questionView({
      question,
      index,
      controlling: byId.get(question.show_if?.question_id ?? ''),
      fields,
      file,
      error: messages.get(question.id),
      focused: only && messages.has(question.id),
      language,
    }),
  )
  const failed = errors.length > 0
  // The script shows and hides questions by their definitions.
  const hasLogic = questions.some((question) => question.show_if !== undefined)
  const form = attributes({
    action: `${draft ? `${draft.path}/submit` : root}${query}`,
    'data-root': root,
    'data-query': query,
    'data-file-max-bytes': Number.isFinite(page.fileMaxBytes) ? page.fileMaxBytes : undefined,
    'data-questions': JSON.stringify(hasLogic ? questions.map(publicQuestion) : []),
  })
  const disabled = flag('disabled', preview !== undefined)
  const main = html`${heading(of)}
${draft && draftNote(draft, language)}${failed && !only && errorSummary(page, errors, language)}
<form method="post" enctype="multipart/form-data" novalidate${form}>
<input type="hidden" name="${SUBMIT_TOKEN_FIELD}" value="${page.submitToken}" autocomplete="off">
<input type="hidden" name="${DRAFT_VERSION_FIELD}" value="${page.draftVersion ?? ''}" autocomplete="off">
<input type="hidden" name="started_at" value="${startedAt}">
${views}
<div class="actions">
<button type="submit"${disabled} class="primary"${english}>Submit</button>
<button type="submit"${disabled} formaction="${draft?.path ?? `${root}/drafts`}${query}" data-save=""${english}>Save and finish later</button>
</div>
<div class="status" role="status" data-status=""${english}></div>
</form>`
  return sendPage({
    status: page.refusal?.status ?? (failed ? 422 : 200),
    errorCode: page.refusal?.code,
    title: failed ? `Error: ${title}` : title,
    main,
    of,
    preview,
  })
}

const draftNote = ({ path, url }: { path: string; url: string }, { english }: PageLanguage): Html =>
  html`<p class="note"${english}>This is your draft. Keep this link so you can continue later: <a href="${path}">${url}</a></p>
`

/** A colon after a title, unless it ends with a mark of its own, such as a question. */
const separator = (title: string): string => (/\p{P}\s*$/u.test(title) ? '' : ':')

/** Receives the focus when the page opens, and links to each question with an error. */
function errorSummary(
  { of, summary }: FormPage,
  errors: readonly AnswerRefusal[],
  { english }: PageLanguage,
): Html {
  const { questions } = of.publication
  const indexes = new Map(questions.map(({ id }, index) => [id, index]))
  let count = 0
  const lines = errors.map(({ field, message }) => {
    const index = indexes.get(field) ?? -1
    const question = questions[index]
    if (!question) return html`<li>${message}</li>`
    count += 1
    return html`<li><a href="#${questionElementId(index)}"><bdi>${question.title}</bdi>${separator(question.title)} ${message}</a></li>`
  })
  return html`<section class="summary" role="alert" tabindex="-1" autofocus aria-labelledby="summary-title"${english}>
<h2 id="summary-title">${summary ?? summaryTitle(count)}</h2>
<ul>${lines}</ul>
</section>`
}
