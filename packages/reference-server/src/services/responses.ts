import {
  type Answer,
  type FormResponse,
  type KnownResponseStatus,
  RESPONSE_STATUSES,
} from '@formwire/contract'
import type { FormSummary } from '@formwire/contract/control'
import type { Context } from '../context.ts'
import type { FormRecord } from '../domain/form.ts'
import {
  filesAsDescribed,
  isEmailAddress,
  keepAnswers,
  type Question,
  readAnswers,
  validateAnswers,
} from '../domain/question/index.ts'
import { type ResponseRecord, UNKNOWN_META } from '../domain/response.ts'
import { invalid, notFound, unprocessable, valueOrThrow } from '../domain/service-error.ts'
import { describeUnknown, namesOf } from '../known-names.ts'
import { lazy } from '../lazy.ts'
import { nextTurn } from '../real-timers.ts'
import type { Page } from '../store/table.ts'
import { findForm } from './forms.ts'
import { orNull, readFlag, readInstant, readObject, readWord, refuseUnknownFields } from './input.ts'
import type { ExportFormat } from './response-export.ts'
import { deleteResponse, storeDraft, storeSubmission } from './store-response.ts'
import { textSearch } from './text-search.ts'

/** A response added without the public link. Instants are ISO 8601. */
export interface BackFill {
  answers?: readonly { question_id: string; value: unknown }[] | undefined
  email?: string | null | undefined
  /** Merged over the defaults, which are `null` for what is not known. */
  meta?: Record<string, unknown> | undefined
  /** @default 'submitted' */
  status?: KnownResponseStatus | undefined
  /** For a draft, when it was last saved. `null`, which the API shows for drafts, is the default. @default now */
  submitted_at?: string | null | undefined
  /** @default `submitted_at` */
  started_at?: string | undefined
  /** Whether to send webhooks. @default false */
  deliver?: boolean | undefined
}

const BACK_FILL_FIELDS = namesOf<BackFill>({
  answers: true,
  email: true,
  meta: true,
  status: true,
  submitted_at: true,
  started_at: true,
  deliver: true,
})

/** Includes what the API adds to an answer, so that its responses can be sent back. */
const ANSWER_FIELDS = namesOf<Answer>({ question_id: true, value: true, title: true, type: true, text: true })

const textsOf = ({ email, answers }: FormResponse) => [email, ...answers.map(({ text }) => text)]

/** Responses that are searched before other requests get a turn. */
const SEARCHED_AT_ONCE = 2_000

/** Responses across workspaces, and the back-fill. */
export function createResponses(context: Context) {
  const find = (formId: string, id: number): ResponseRecord => {
    const response = context.state.responses.get(id)
    if (response?.formId !== findForm(context, formId).id) throw notFound()
    return response
  }

  const summarize = lazy(async () => (await import('./form-summary/index.ts')).createFormSummary(context))

  return {
    /**
     * Adds a response. Answers are validated as on the public link; closing, dates and limits are ignored. Throws 422
     * with the question at fault, which may be an unknown one.
     */
    create(formId: string, input: BackFill = {}): ResponseRecord {
      const form = findForm(context, formId)
      if (form.trashedAt !== null)
        throw unprocessable('The form is in the trash; restore it before adding responses.')
      refuseUnknownFields(input, BACK_FILL_FIELDS)
      const status = readWord(input.status ?? 'submitted', 'status', RESPONSE_STATUSES)
      const deliver = readFlag(input.deliver ?? false, 'deliver')
      const at =
        input.submitted_at === undefined || input.submitted_at === null
          ? context.clock.now()
          : readInstant(input.submitted_at, 'submitted_at')
      const startedAt = input.started_at === undefined ? at : readInstant(input.started_at, 'started_at')
      if (startedAt > at) throw invalid('started_at', 'started_at must not be after submitted_at.')
      const email = input.email === undefined ? null : orNull(input.email, readEmail)
      const meta = { ...UNKNOWN_META, ...readObject(input.meta ?? {}, 'meta') }
      const { submitted, valid } = check(context, form, input.answers, status)
      const { answers, score, max_score: maxScore } = valid
      const response = { formId, content: { email, score, maxScore, answers, meta }, startedAt, at }
      return status === 'submitted'
        ? storeSubmission(context, response, { deliver })
        : storeDraft(context, response, submitted)
    },
    /** Returns a page of responses, newest first. */
    list(
      formId: string,
      status: KnownResponseStatus = 'submitted',
      from = 0,
      count = 100,
    ): Page<ResponseRecord> {
      return context.state.responses.list(findForm(context, formId).id, status, undefined, from, count)
    },
    /** Returns a page of those responses whose id, email address or answers contain a text, without regard to case, newest first. */
    async search(
      formId: string,
      text: string,
      status: KnownResponseStatus = 'submitted',
      from = 0,
      count = 100,
    ): Promise<Page<ResponseRecord>> {
      const { items } = this.list(formId, status, 0, Number.POSITIVE_INFINITY)
      const search = textSearch(text)
      const found: ResponseRecord[] = []
      for (const [index, response] of items.entries()) {
        if (index % SEARCHED_AT_ONCE === SEARCHED_AT_ONCE - 1) await nextTurn()
        if (search.isInTexts([`#${response.id}`]) || search.isInJson(response.json, textsOf))
          found.push(response)
      }
      return { items: found.slice(from, from + count), total: found.length }
    },
    /** Summarizes the answers of a form (see `FormSummary`). Rejects with 404. */
    summary: async (formId: string): Promise<FormSummary> => (await summarize())(formId),
    /** Yields all responses or drafts of a form, as CSV or JSON, as they are when the first chunk is requested. */
    async *export(
      formId: string,
      format: ExportFormat,
      status: KnownResponseStatus,
    ): AsyncGenerator<Uint8Array> {
      const { exportResponses } = await import('./response-export.ts')
      yield* exportResponses(context.state, findForm(context, formId), format, status)
    },
    get: find,
    delete(formId: string, id: number): { id: number; deleted: true } {
      deleteResponse(context, find(formId, id))
      return { id, deleted: true }
    },
  }
}

function check({ settings }: Context, form: FormRecord, input: unknown, status: KnownResponseStatus) {
  const answers = valueOrThrow(readAnswers(input))
  for (const [index, answer] of ((input ?? []) as readonly object[]).entries())
    refuseUnknownFields(answer, ANSWER_FIELDS, `answers[${index}].`)
  const questions = form.publication?.questions ?? form.questions
  refuseUnknownQuestions(questions, answers)
  const checks = {
    draft: status === 'in_progress',
    file: filesAsDescribed,
    texts: settings.unspecified.answerTexts,
  }
  const checked = validateAnswers(questions, answers, checks)
  if (!checked.ok) {
    const { field, message } = checked.refusal[0]
    throw invalid(field, `${JSON.stringify(field)}: ${message}`)
  }
  return { submitted: keepAnswers(questions, answers, checks), valid: checked.value }
}

/** The public link ignores unknown questions, since the form may change while a respondent fills it in. */
function refuseUnknownQuestions(
  questions: readonly Question[],
  answers: readonly { readonly question_id: string }[],
): void {
  const ids = new Set(questions.map(({ id }) => id))
  for (const { question_id: id } of answers) {
    if (!ids.has(id)) throw invalid(id, describeUnknown('question', id, [...ids]))
  }
}

function readEmail(value: unknown): string {
  if (typeof value === 'string' && isEmailAddress(value)) return value
  throw invalid('email', 'email must be an email address or null.')
}
