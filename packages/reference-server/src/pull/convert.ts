import {
  type Answer,
  type ChoiceValue,
  FORM_STATUSES,
  type Form,
  type FormResponse,
  LIMITS,
} from '@formwire/contract'
import { formSchema, responseSchema } from '@formwire/contract/schemas'
import { given } from '@formwire/internal/given'
import { isObject } from '@formwire/internal/json'
import { ADDRESS_PARTS } from '../domain/question/address-answers.ts'
import { typeOfName } from '../domain/question/question-types.ts'
import { idProblem } from '../domain/question/read-questions.ts'
import { LARGEST_ID } from '../seed/parse.ts'
import { fitsType, isKnownType } from '../seed/recorded.ts'
import { FORM_TIMES, instantText, isChanged } from './instants.ts'
import type { PulledAnswer, PulledForm, PulledResponse, Unknown } from './lines.ts'
import { PullError } from './pull-error.ts'
import { checkResponse } from './shapes.ts'

/** What a response was turned into, and what of it the seed format does not have. */
export interface Converted {
  row: PulledResponse
  unknown: Unknown[]
}

const FORM_MEMBERS = Object.keys(formSchema.shape)
const RESPONSE_MEMBERS = Object.keys(responseSchema.shape)
const ANSWER_MEMBERS = ['question_id', 'title', 'type', 'value', 'text']

/** Returns the members that the seed format does not have. */
function unexpected(item: object, members: readonly string[]): Unknown[] {
  return Object.keys(item)
    .filter((name) => !members.includes(name))
    .map((id) => ({ id: id.slice(0, 100), why: 'unexpected_member' as const }))
}

/**
 * Converts a form whose shapes were checked. `unknown` has what the seed format does not have, such as a later status.
 * @param shiftMs milliseconds that its times will be moved by
 */
export function convertForm(form: Form, shiftMs: number): PulledForm {
  if (!FORM_ID.test(form.id))
    throw new PullError('invalid_response', 'a form has an id that is not 12 letters and digits')
  const unknown = unexpected(form, FORM_MEMBERS)
  const changed = (id: string): void => void unknown.push({ id, why: 'changed' })
  const title = [...form.title].slice(0, LIMITS.titleMaxCodePoints).join('') || form.id
  if (title !== form.title) changed('title')
  const hasSlug = typeof form.slug === 'string' && SLUG.test(form.slug)
  if (!hasSlug) changed('slug')
  const status = FORM_STATUSES.find((known) => known === form.status)
  if (status === undefined) changed('status')
  const limit = (isCount(form.response_limit) && form.response_limit) || null
  if (limit !== (form.response_limit ?? null)) changed('response_limit')
  if (!isCount(form.response_count)) changed('response_count')
  for (const name of FORM_TIMES) if (isChanged(form[name], shiftMs)) changed(name)
  return {
    id: form.id,
    ...(hasSlug && { slug: form.slug }),
    title,
    status: status ?? 'closed',
    response_limit: limit,
    opens_at: instantText(form.opens_at) ?? null,
    closes_at: instantText(form.closes_at) ?? null,
    ...given({ created_at: instantText(form.created_at), updated_at: instantText(form.updated_at) }),
    response_count: isCount(form.response_count) ? form.response_count : 0,
    unknown,
  }
}

const FORM_ID = /^[0-9A-Za-z]{12}$/
const SLUG = /^[0-9A-Za-z_-]{1,100}$/

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

/** Members of a response that are kept if they have the type of the contract. */
const PLAIN_MEMBERS = ['duration_sec', 'email', 'score', 'max_score', 'meta'] as const

/** Converts a response. @param shiftMs milliseconds that its times will be moved by @throws PullError for an id that JavaScript cannot represent, and for a shape that cannot be read */
export function convertResponse(formId: string, response: FormResponse, shiftMs: number): Converted {
  checkResponse(formId, response)
  const { id, status, email, score, max_score, answers, meta } = response
  if (!isCount(id) || id < 1 || id > LARGEST_ID) {
    throw new PullError(
      'invalid_response',
      `form ${formId} has a response whose id is not an integer from 1 to ${LARGEST_ID}: JavaScript rounds larger ones`,
    )
  }
  const unknown = unexpected(response, RESPONSE_MEMBERS)
  const submittedAt = instantText(response.submitted_at)
  const startedAt = instantText(response.started_at) ?? submittedAt
  const row: PulledResponse = {
    id,
    ...(status === 'in_progress' && { status: 'in_progress' as const }),
    ...given({ started_at: startedAt, submitted_at: submittedAt }),
    ...(isCount(response.duration_sec) && { duration_sec: response.duration_sec }),
    ...(typeof email === 'string' && { email }),
    ...(typeof score === 'number' && { score }),
    ...(typeof max_score === 'number' && { max_score }),
    meta: isObject(meta) ? meta : {},
    answers: [],
  }
  const changed = (id: string): void => void unknown.push({ id, why: 'changed' })
  if (startedAt !== instantText(response.started_at) || isChanged(response.started_at, shiftMs))
    changed('started_at')
  if (isChanged(response.submitted_at, shiftMs)) changed('submitted_at')
  for (const name of PLAIN_MEMBERS)
    if (response[name] !== row[name] && (response[name] ?? null) !== null) changed(name)
  if (status !== 'submitted' && status !== 'in_progress') changed('status')
  const seen = new Set<string>()
  for (const answer of answers) {
    const converted = convertAnswer(answer, unknown)
    if (converted && seen.has(converted.question_id))
      unknown.push({ id: converted.question_id, why: 'unexpected_value' })
    else if (converted) row.answers.push(converted)
    seen.add(answer.question_id)
  }
  return { row, unknown }
}

function convertAnswer(answer: Answer, unknown: Unknown[]): PulledAnswer | undefined {
  const { question_id: id, title, text } = answer
  const type = typeOfName(answer.type)
  if (idProblem(id) !== undefined) {
    unknown.push({ id: id.slice(0, 100), why: 'unusable_id' })
    return undefined
  }
  for (const { id: name } of unexpected(answer, ANSWER_MEMBERS))
    unknown.push({ id: name, why: 'unexpected_member' })
  if (!isKnownType(type)) unknown.push({ id, why: 'unknown_type' })
  let { value } = answer as { value: unknown }
  if (!fitsType(type, value)) {
    value = tidy(value)
    const fits = fitsType(type, value)
    unknown.push({ id, why: fits ? 'unexpected_member' : 'unexpected_value' })
    if (!fits) return undefined
  }
  return { question_id: id, title: String(title), type, value: value as never, text: String(text ?? '') }
}

/** Returns a value of a documented shape without further members. */
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => picked(item, ['id', 'name', 'size']))
  if (isObject(value) && 'ids' in value)
    return { ids: value.ids, other: (value as Partial<ChoiceValue>).other ?? null }
  if (isObject(value) && 'line1' in value)
    return Object.fromEntries(ADDRESS_PARTS.map((part) => [part, value[part] ?? '']))
  return value
}

const picked = (item: unknown, names: readonly string[]): unknown =>
  isObject(item) ? Object.fromEntries(names.map((name) => [name, item[name]])) : item
