import { type KnownResponseStatus, RESPONSE_STATUSES, type ResponseMeta } from '@formwire/contract'
import type { Context } from '../context.ts'
import type { FormRecord } from '../domain/form.ts'
import {
  filesAsDescribed,
  isEmailAddress,
  keepAnswers,
  readAnswers,
  validateAnswers,
} from '../domain/question/index.ts'
import type { ResponseRecord } from '../domain/response.ts'
import { invalid, notFound, ServiceError } from '../http/errors.ts'
import type { Page } from '../store/forms.ts'
import { orNull, readFlag, readInstant, readObject, readWord } from './input.ts'
import { deleteResponse, storeDraft, storeSubmission } from './store-response.ts'

/** A response that is put in behind the public link. Instants are ISO 8601. */
export interface BackFill {
  answers?: readonly { question_id: string; value: unknown }[]
  email?: string | null
  /** Over the defaults: `null` for what is not known. */
  meta?: Record<string, unknown>
  /** @default 'submitted' */
  status?: KnownResponseStatus
  /** For a draft: when it was last saved; `null`, as the API shows a draft's, is the default. @default now */
  submitted_at?: string | null
  /** @default `submitted_at` */
  started_at?: string
  /** Whether webhooks are sent. @default false */
  deliver?: boolean
}

const UNKNOWN_META: ResponseMeta = { device: null, browser: null, os: null, ref: null, utm: {} }

/** Responses across workspaces, and the back-fill. */
export function createResponses(context: Context) {
  const findForm = (id: string): FormRecord => {
    const form = context.state.forms.get(id)
    if (!form) throw notFound()
    return form
  }
  const find = (formId: string, id: number): ResponseRecord => {
    const response = context.state.responses.get(id)
    if (response?.formId !== findForm(formId).id) throw notFound()
    return response
  }

  return {
    /** Validated like the public link; ignores closing, dates and limits. Throws 422 naming the question. */
    create(formId: string, input: BackFill = {}): ResponseRecord {
      const form = findForm(formId)
      if (form.trashedAt !== null)
        throw new ServiceError('validation_failed', 'Restore the form before you add to it.')
      const status = readWord(input.status ?? 'submitted', 'status', RESPONSE_STATUSES)
      const deliver = readFlag(input.deliver ?? false, 'deliver')
      const at =
        input.submitted_at === undefined || input.submitted_at === null
          ? context.clock.now()
          : readInstant(input.submitted_at, 'submitted_at')
      const startedAt = input.started_at === undefined ? at : readInstant(input.started_at, 'started_at')
      if (startedAt > at) throw invalid('started_at', 'started_at lies after submitted_at.')
      const email = input.email === undefined ? null : orNull(input.email, readEmail)
      const meta = { ...UNKNOWN_META, ...readObject(input.meta ?? {}, 'meta') }
      const { submitted, checked } = check(form, input.answers, status)
      const content = {
        email,
        score: checked.score,
        maxScore: checked.max_score,
        answers: checked.answers,
        meta,
      }
      const response = { formId, content, startedAt, at }
      return status === 'submitted'
        ? storeSubmission(context, response, { deliver })
        : storeDraft(context, response, submitted)
    },
    /** Newest first. */
    list(
      formId: string,
      status: KnownResponseStatus = 'submitted',
      from = 0,
      count = 100,
    ): Page<ResponseRecord> {
      return context.state.responses.list(findForm(formId).id, status, undefined, from, count)
    },
    get: find,
    delete(formId: string, id: number): { id: number; deleted: true } {
      deleteResponse(context, find(formId, id))
      return { id, deleted: true }
    },
  }
}

function check(form: FormRecord, input: unknown, status: KnownResponseStatus) {
  const reading = readAnswers(input)
  if (!reading.ok) throw invalid(reading.errors[0].field, reading.errors[0].message)
  const questions = form.publication?.questions ?? form.questions
  const judged = { draft: status === 'in_progress', file: filesAsDescribed }
  const checked = validateAnswers(questions, reading.answers, judged)
  if (!checked.ok) {
    const { field, message } = checked.errors[0]
    throw invalid(field, `${JSON.stringify(field)}: ${message}`)
  }
  return { submitted: keepAnswers(questions, reading.answers, judged), checked }
}

function readEmail(value: unknown): string {
  if (typeof value === 'string' && isEmailAddress(value)) return value
  throw invalid('email', 'email takes an email address or null.')
}
