import { type Form, type FormResponse, LIMITS, type Me } from '@formwire/contract'
import { isObject, isObjectOrArray } from '@formwire/internal/json'
import { urlOf } from '@formwire/internal/url'
import { LARGEST_ID } from '../seed/parse.ts'
import { PullError } from './pull-error.ts'

/** Levels of objects and lists in a value of a response, at most: JSON of thousands of levels cannot be written again. */
const MAX_DEPTH = 100

const invalid = (message: string): PullError => new PullError('invalid_response', message)

const isTextOrNone = (value: unknown): boolean => value == null || typeof value === 'string'

/** Checks that a form has the shapes on which reading it depends. @throws PullError that names the form */
export function checkForm(form: Form): void {
  const given: unknown = form
  if (!isObject(given) || typeof given.id !== 'string') throw invalid('a form is not an object with an id')
  const what = `form ${given.id.slice(0, 20)}`
  if (typeof given.title !== 'string') throw invalid(`${what}: title is not text`)
  for (const name of ['opens_at', 'closes_at', 'created_at', 'updated_at']) {
    if (!isTextOrNone(given[name])) throw invalid(`${what}: ${name} is not text`)
  }
}

/** Checks what the place of a response in a list depends on, and returns how to name the response. @throws PullError */
export function checkRow(formId: string, response: FormResponse): string {
  const given: unknown = response
  if (!isObject(given)) throw invalid(`form ${formId} has a response that is not an object`)
  const what =
    typeof given.id === 'number' ? `response ${given.id} of form ${formId}` : `a response of form ${formId}`
  for (const name of ['started_at', 'submitted_at']) {
    if (!isTextOrNone(given[name])) throw invalid(`${what}: ${name} is not text`)
  }
  return what
}

/** Checks also that the response has a time. @throws PullError */
export function checkDated(formId: string, response: FormResponse): void {
  const what = checkRow(formId, response)
  if (Number.isNaN(Date.parse(response.submitted_at ?? '')))
    throw invalid(`${what} has no valid submitted_at`)
}

/** Checks that a response has the shapes on which reading it depends. @throws PullError that names the form and the response */
export function checkResponse(formId: string, response: FormResponse): void {
  const what = checkRow(formId, response)
  const { answers, meta }: { answers: unknown; meta: unknown } = response
  if (!Array.isArray(answers)) throw invalid(`${what}: answers is not a list`)
  for (const answer of answers as unknown[]) {
    if (!isObject(answer)) throw invalid(`${what}: an answer is not an object`)
    for (const name of ['question_id', 'title', 'type']) {
      if (typeof answer[name] !== 'string') throw invalid(`${what}: ${name} of an answer is not text`)
    }
    if (!isTextOrNone(answer.text)) throw invalid(`${what}: text of an answer is not text`)
    if (isTooDeep(answer.value)) throw invalid(`${what}: an answer has more than ${MAX_DEPTH} levels`)
  }
  if (isTooDeep(meta)) throw invalid(`${what}: meta has more than ${MAX_DEPTH} levels`)
}

/** Checks that the user and the workspace of the key have their members. @throws PullError */
export function checkMe(me: Me): void {
  const { user, workspace } = Object(me) as Record<string, unknown>
  const isUser = isObject(user) && typeof user.name === 'string' && typeof user.email === 'string'
  if (!isUser || !isObject(workspace) || typeof workspace.name !== 'string')
    throw invalid('the service does not say who the user and the workspace of the key are')
}

/** Whether a seed can have an endpoint. */
export function isUsableWebhook(webhook: unknown): boolean {
  if (!isObject(webhook)) return false
  const { id, url, active, created_at: createdAt } = webhook
  return (
    isId(id) &&
    typeof url === 'string' &&
    url.length <= LIMITS.webhookUrlMaxLength &&
    /^https?:\/\/[^/?#]/i.test(url) &&
    urlOf(url) !== undefined &&
    typeof active === 'boolean' &&
    isTextOrNone(createdAt)
  )
}

/** Whether a seed can have an id. */
export const isId = (id: unknown): boolean =>
  Number.isSafeInteger(id) && Number(id) >= 1 && Number(id) <= LARGEST_ID

/** Walks level by level, since recursion would overflow. */
function isTooDeep(value: unknown): boolean {
  let level = isObjectOrArray(value) ? [value] : []
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === MAX_DEPTH) return true
    level = level.flatMap((item) => Object.values(item).filter(isObjectOrArray))
  }
  return false
}
