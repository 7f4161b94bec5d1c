import { type NewResponse, storeDraft, storeSubmission } from '../app/store-response.ts'
import type { Context } from '../context.ts'
import {
  type AnswerError,
  fileIdsOfKept,
  isEmailAddress,
  keepAnswers,
  type SubmittedAnswer,
  type ValidatedAnswers,
  validateAnswers,
} from '../domain/question/index.ts'
import { type ResponseRecord, responseContent } from '../domain/response.ts'
import { findDraft } from './find-draft.ts'
import { metaOf, type Visit } from './meta.ts'
import { type OpenForm, openForm } from './open-form.ts'
import type { Submission } from './read-submission.ts'
import { claimableUploads, settleUploads } from './uploads.ts'

/** Someone who answers the form at `slug`. `token` names the draft that they go on with. */
export interface Respondent {
  readonly slug: string
  readonly token: string | undefined
  readonly submission: Submission
  readonly visit: Visit
}

/** A response or draft was stored, or its answers were refused: then nothing has changed. */
export type Outcome =
  | { readonly ok: true; readonly open: OpenForm; readonly record: ResponseRecord }
  | { readonly ok: false; readonly open: OpenForm; readonly errors: readonly [AnswerError, ...AnswerError[]] }

/** A respondent whose form is open, with the draft; looked up in the same turn in which it is used. */
interface Seated extends Respondent {
  readonly open: OpenForm
  readonly draft: ResponseRecord | undefined
}

/**
 * Submits the answers that were sent along, else those that the draft has; a draft keeps its id and its start (RESP-09).
 * The delivery engine is told. Throws as `openForm` and `findDraft` do: a form takes no more than its limit, however
 * many submissions arrive together.
 */
export function submit(context: Context, respondent: Respondent): Outcome {
  const seated = seat(context, respondent)
  const { open, draft } = seated
  const checked = check(context, seated, answersOf(seated), false)
  if (!checked.ok) return { open, ...checked }
  const record = storeSubmission(context, responseOf(context, seated, checked), draft ? { draft } : {})
  settleUploads(context, record.id, checked.fileIds)
  return { ok: true, open, record }
}

/** Saves a draft, new or again. It may lack answers, but what it has must be right. Sends nothing (DLV-01). */
export function save(context: Context, respondent: Respondent): Outcome {
  const seated = seat(context, respondent)
  const { open, draft } = seated
  const submitted = answersOf(seated)
  const checked = check(context, seated, submitted, true)
  if (!checked.ok) return { open, ...checked }
  const { questions } = open.publication
  const kept = keepAnswers(questions, submitted, {
    draft: true,
    file: claimableUploads(context, open.form, draft),
  })
  const record = storeDraft(context, responseOf(context, seated, checked), kept, draft)
  settleUploads(context, record.id, fileIdsOfKept(questions, kept))
  return { ok: true, open, record }
}

function seat(context: Context, respondent: Respondent): Seated {
  const open = openForm(context, respondent.slug)
  const { token } = respondent
  return { ...respondent, open, draft: token === undefined ? undefined : findDraft(context, open, token) }
}

const answersOf = ({ submission, draft }: Seated): readonly SubmittedAnswer[] =>
  submission.answers ?? draft?.draft?.answers ?? []

function check(
  context: Context,
  { open, submission, draft: saved }: Seated,
  submitted: readonly SubmittedAnswer[],
  draft: boolean,
): ValidatedAnswers {
  const file = claimableUploads(context, open.form, saved)
  const checked = validateAnswers(open.publication.questions, submitted, { draft, file })
  const inFiles = new Map(submission.fileErrors.map((error) => [error.field, error]))
  const others = checked.ok ? [] : checked.errors.filter((error) => !inFiles.has(error.field))
  const [first, ...more] = [...inFiles.values(), ...others, ...emailErrors(submission.email)]
  return first ? { ok: false, errors: [first, ...more] } : checked
}

function emailErrors(email: unknown): AnswerError[] {
  if (email === undefined || email === null) return []
  if (typeof email === 'string' && isEmailAddress(email)) return []
  return [{ field: 'email', message: 'Write an email address, such as name@example.com, or leave it out.' }]
}

function responseOf(
  { clock }: Context,
  { open, submission, visit, draft }: Seated,
  checked: ValidatedAnswers & { ok: true },
): NewResponse {
  const at = clock.now()
  const saved = draft && responseContent(draft)
  const email = submission.email === undefined ? (saved?.email ?? null) : (submission.email as string | null)
  const { answers, score, max_score: maxScore } = checked
  const meta = metaOf(visit, saved?.meta)
  return {
    formId: open.form.id,
    content: { email, score, maxScore, answers, meta },
    startedAt: startOf(submission.openedAt, open, at),
    at,
  }
}

/** What a page says of its own opening is believed only from the form's publication until now. */
function startOf(openedAt: number | undefined, { publication }: OpenForm, at: number): number {
  return openedAt !== undefined && openedAt >= publication.publishedAt && openedAt <= at ? openedAt : at
}
