import type { Context } from '../context.ts'
import {
  type AnswerRefusal,
  fileIdsOfKept,
  isEmailAddress,
  keepAnswers,
  type SubmittedAnswer,
  type ValidAnswers,
  type ValidatedAnswers,
  validateAnswers,
} from '../domain/question/index.ts'
import { type ResponseRecord, responseContent } from '../domain/response.ts'
import { type NewResponse, storeDraft, storeSubmission } from '../services/store-response.ts'
import { metaOf, type Visit } from './meta.ts'
import { draftVersion, type OpenForm, openFormAndDraft } from './open-form.ts'
import { DRAFT_VERSION_FIELD, SUBMIT_TOKEN_FIELD, type Submission } from './read-submission.ts'
import { assignUploads, claimableUploads } from './uploads.ts'

/** A submission to the form at `slug`. `token` names the draft to continue, if any. */
export interface Respondent {
  readonly slug: string
  readonly token: string | undefined
  readonly submission: Submission
  readonly visit: Visit
}

/** Either a response or draft was stored, or its answers were refused and nothing has changed. */
export type SubmissionOutcome =
  | { readonly ok: true; readonly open: OpenForm; readonly record: ResponseRecord }
  | {
      readonly ok: false
      readonly open: OpenForm
      readonly errors: readonly [AnswerRefusal, ...AnswerRefusal[]]
    }

/** A respondent with the open form and the draft, valid until the next `await`. */
interface ResolvedRespondent extends Respondent {
  readonly open: OpenForm
  readonly draft: ResponseRecord | undefined
}

/**
 * Submits the sent answers, or else those of the draft, which keeps its start (RESP-09). Uses up the token of the page.
 * Publishes the response to the delivery engine. Throws like `openForm` and `findDraft`, so that concurrent submissions
 * cannot exceed the limit of a form.
 */
export function submit(context: Context, respondent: Respondent): SubmissionOutcome {
  const resolved = { ...respondent, ...openFormAndDraft(context, respondent.slug, respondent.token) }
  const { open, draft } = resolved
  const checked = check(context, resolved, answersOf(resolved), false)
  if (!checked.ok) return { ok: false, open, errors: checked.refusal }
  const record = storeSubmission(
    context,
    responseOf(context, resolved, checked.value),
    draft ? { draft } : {},
  )
  assignUploads(context, record.id, checked.value.fileIds, draft?.id)
  const { submitToken: token } = respondent.submission
  if (token !== undefined) {
    const used = { token, formId: open.form.id, responseId: record.id }
    context.state.submitTokens.use(used, context.clock.now())
  }
  return { ok: true, open, record }
}

/** Saves a new or existing draft. Answers may be missing but must be valid. Sends no event (DLV-01). */
export function save(context: Context, respondent: Respondent): SubmissionOutcome {
  const resolved = { ...respondent, ...openFormAndDraft(context, respondent.slug, respondent.token) }
  const { open, draft } = resolved
  const submitted = answersOf(resolved)
  const checked = check(context, resolved, submitted, true)
  if (!checked.ok) return { ok: false, open, errors: checked.refusal }
  const { questions } = open.publication
  const kept = keepAnswers(questions, submitted, {
    draft: true,
    file: claimableUploads(context, open.form, draft),
  })
  const record = storeDraft(context, responseOf(context, resolved, checked.value), kept, draft)
  assignUploads(context, record.id, fileIdsOfKept(questions, kept))
  return { ok: true, open, record }
}

const answersOf = ({ submission, draft }: ResolvedRespondent): readonly SubmittedAnswer[] =>
  submission.answers ?? draft?.draft?.answers ?? []

function check(
  context: Context,
  { open, submission, draft: saved }: ResolvedRespondent,
  submitted: readonly SubmittedAnswer[],
  draft: boolean,
): ValidatedAnswers {
  const file = claimableUploads(context, open.form, saved)
  const texts = context.settings.unspecified.answerTexts
  const checked = validateAnswers(open.publication.questions, submitted, { draft, file, texts })
  const inFiles = new Map(submission.fileErrors.map((error) => [error.field, error]))
  const others = checked.ok ? [] : checked.refusal.filter((error) => !inFiles.has(error.field))
  const [first, ...more] = [
    ...(draft ? [] : pageErrors(context, open, submission)),
    ...draftErrors(submission, saved),
    ...inFiles.values(),
    ...others,
    ...emailErrors(submission.email),
  ]
  return first ? { ok: false, refusal: [first, ...more] } : checked
}

/** A page that may have been submitted before is not stored. Programs that post a form without a token may. */
function pageErrors(
  { state, clock }: Context,
  { form }: OpenForm,
  { submitToken }: Submission,
): AnswerRefusal[] {
  if (submitToken === undefined) return []
  if (state.submitTokens.statusOf(submitToken, form.id, clock.now()).kind === 'unused') return []
  const message = 'This page has expired. Your answers are still here: check them and submit again.'
  return [{ field: SUBMIT_TOKEN_FIELD, message }]
}

/** A page does not replace what was saved since it was opened, unless the respondent, who is told, sends it again. */
function draftErrors(
  { draftVersion: version }: Submission,
  saved: ResponseRecord | undefined,
): AnswerRefusal[] {
  if (version === undefined || !saved || version === draftVersion(saved)) return []
  const message =
    'This draft was saved on another device or in another tab after you opened it here. Your answers are still here, and not saved yet: save or submit again to replace the other version, or open the link of the draft in a new tab to see it.'
  return [{ field: DRAFT_VERSION_FIELD, message }]
}

/** Refuses the answers of a page whose draft is gone. The page may be sent again, as that of a new response. */
export function refuseWithoutDraft(
  context: Context,
  respondent: Respondent,
  open: OpenForm,
): SubmissionOutcome & { ok: false } {
  const resolved = { ...respondent, open, draft: undefined }
  // Finds files, which went with the draft.
  const checked = check(context, resolved, answersOf(resolved), true)
  const message =
    'This draft was submitted or deleted, perhaps on another device. Your answers are still here: submit or save them as another response, or leave this page.'
  return {
    ok: false,
    open,
    errors: [{ field: DRAFT_VERSION_FIELD, message }, ...(checked.ok ? [] : checked.refusal)],
  }
}

function emailErrors(email: unknown): AnswerRefusal[] {
  if (email === undefined || email === null) return []
  if (typeof email === 'string' && isEmailAddress(email)) return []
  return [{ field: 'email', message: 'Enter an email address, such as name@example.com, or leave it out.' }]
}

function responseOf(
  { clock }: Context,
  { open, submission, visit, draft }: ResolvedRespondent,
  { answers, score, max_score: maxScore }: ValidAnswers,
): NewResponse {
  const at = clock.now()
  const saved = draft && responseContent(draft)
  const email = submission.email === undefined ? (saved?.email ?? null) : (submission.email as string | null)
  const meta = metaOf(visit, saved?.meta)
  return {
    formId: open.form.id,
    content: { email, score, maxScore, answers, meta },
    startedAt: startOf(submission.openedAt, open, at),
    at,
  }
}

/** Ignores an opening time before the form's publication or in the future: the page sends it, so it is not trusted. */
function startOf(openedAt: number | undefined, { publication }: OpenForm, at: number): number {
  return openedAt !== undefined && openedAt >= publication.publishedAt && openedAt <= at ? openedAt : at
}
