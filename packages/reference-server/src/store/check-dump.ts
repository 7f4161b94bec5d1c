import { FORM_STATUSES, LIMITS, QUESTION_TYPES } from '@formwire/contract'
import { isObject } from '@formwire/internal/json'
import { isTitle } from '../domain/form-update.ts'
import { FIRST_INSTANT, LAST_INSTANT } from '../domain/instant.ts'
import { readLanguage } from '../domain/language.ts'
import type { ValueShape } from '../domain/question/handler.ts'
import { shapeOf } from '../domain/question/question-types.ts'
import { readSubmitToken } from './submit-tokens.ts'

/** A dump that cannot be loaded, with the path and the reason of the first error. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError'
  /** Path such as `state.forms.forms[2].slug`. */
  readonly path: string

  constructor(path: string, message: string) {
    super(message)
    this.path = path
  }
}

type Check = (value: unknown, path: string) => void

const must =
  (holds: (value: unknown) => boolean, expected: string): Check =>
  (value, path) => {
    if (!holds(value)) throw new SnapshotError(path, `must be ${expected}, got ${describe(value)}`)
  }

/** Does not reveal strings, which may be a secret, a key's hash, a draft's token or an answer. */
function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return String(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

const matches = (pattern: RegExp, expected: string): Check =>
  must((value) => typeof value === 'string' && pattern.test(value), expected)

const text = must((value) => typeof value === 'string', 'a string')
const flag = must((value) => typeof value === 'boolean', 'true or false')
const number = must((value) => Number.isFinite(value), 'a number')
const whole = must((value) => Number.isSafeInteger(value) && Number(value) >= 0, 'an integer of 0 or more')
const id = must((value) => Number.isSafeInteger(value) && Number(value) >= 1, 'an integer of 1 or more')
/** Milliseconds since 1970, within the years that ISO 8601 writes with four digits. */
const instant = must(
  (value) => typeof value === 'number' && value >= FIRST_INSTANT && value <= LAST_INSTANT,
  'an instant in milliseconds within the years 0000 to 9999',
)
const jsonObject = must((value) => {
  try {
    return typeof value === 'string' && JSON.parse(value).constructor === Object
  } catch {
    return false
  }
}, 'the text of a JSON object')
/** In process, a snapshot may contain values that JSON cannot represent. */
const json = must((value) => {
  try {
    return typeof JSON.stringify(value) === 'string'
  } catch {
    return false
  }
}, 'a JSON value')
const oneOf = (...values: readonly string[]): Check =>
  must((value) => values.includes(value as string), `one of ${values.join(', ')}`)
const orNull =
  (check: Check): Check =>
  (value, path) => {
    if (value !== null) check(value, path)
  }
const optional =
  (check: Check): Check =>
  (value, path) => {
    if (value !== undefined) check(value, path)
  }
const all =
  (...checks: readonly Check[]): Check =>
  (value, path) => {
    for (const check of checks) check(value, path)
  }
const anyObject = must(isObject, 'an object')
/** An object with at least these members. */
const part =
  (members: Readonly<Record<string, Check>>): Check =>
  (value, path) => {
    anyObject(value, path)
    for (const name in members) members[name]?.((value as Record<string, unknown>)[name], `${path}.${name}`)
  }
/** An object with these members and no others: what a server of this version does not know, it would lose. */
const object = (members: Readonly<Record<string, Check>>): Check => {
  const known = part(members)
  return (value, path) => {
    known(value, path)
    for (const name in value as object) {
      if (!Object.hasOwn(members, name))
        throw new SnapshotError(`${path}.${name}`, 'is not part of a snapshot')
    }
  }
}
/** An object whose members all pass one check. */
const map =
  (check: Check): Check =>
  (value, path) => {
    anyObject(value, path)
    for (const [name, member] of Object.entries(value as object)) check(member, `${path}.${name}`)
  }
const list =
  (check: Check): Check =>
  (value, path) => {
    if (!Array.isArray(value)) throw new SnapshotError(path, `must be a list, got ${describe(value)}`)
    // Unlike forEach, this does not skip the holes of a sparse array.
    for (let i = 0; i < value.length; i += 1) check(value[i], `${path}[${i}]`)
  }

const title = must(isTitle, `a string of 1 to ${LIMITS.titleMaxCodePoints} characters`)

/** The value of an answer, by its shape (RESP-07). */
const VALUES: Readonly<Record<ValueShape, Check>> = {
  text,
  number,
  choice: object({ ids: list(text), other: orNull(text) }),
  grid_single: map(text),
  grid_multiple: map(list(text)),
  files: list(object({ id: text, name: text, size: whole })),
  address: object({ line1: text, line2: text, city: text, region: text, postal: text, country: text }),
}

/** Checks the value of an answer to a question of a type; any JSON value is one of a type that is not known. */
export function checkAnswerValue(type: string, value: unknown, path: string): void {
  const shape = shapeOf(type)
  const check = shape ? VALUES[shape] : json
  check(value, path)
}

const answer: Check = (value, path) => {
  object({ question_id: text, title: text, type: text, text: text, value: () => {} })(value, path)
  const { type, value: given } = value as { readonly type: string; readonly value: unknown }
  checkAnswerValue(type, given, `${path}.value`)
}

const language = must((value) => readLanguage(value).ok, 'a valid language or null')

/** Of the snapshots of earlier versions. Its other members are dropped. */
const appearance = optional(part({ language }))

/** Its other members are compared with what the builder makes of them. */
const question = part({ id: text, type: oneOf(...QUESTION_TYPES), title: text, required: flag })

const submitToken = must(
  (value) => typeof value === 'string' && readSubmitToken(value) !== undefined,
  'a token of a form page',
)

const checkState = object({
  version: whole,
  people: object({
    users: list(object({ id: id, name: text, email: text, passwordChangedAt: orNull(instant) })),
    workspaces: list(
      object({ id: id, name: text, plan: oneOf('free', 'starter', 'business'), createdAt: instant }),
    ),
    memberships: list(object({ workspaceId: id, userId: id, role: oneOf('owner', 'editor', 'viewer') })),
    lastUserId: whole,
    lastWorkspaceId: whole,
  }),
  keys: object({
    keys: list(
      object({
        id: id,
        name: text,
        prefix: text,
        scope: oneOf('read', 'write'),
        hash: matches(/^[0-9a-f]{64}$/, 'a SHA-256 hash in lower-case hex'),
        userId: id,
        workspaceId: id,
        createdAt: instant,
        revokedAt: orNull(instant),
        printed: optional(oneOf('current', 'earlier')),
      }),
    ),
    lastId: whole,
  }),
  forms: object({
    forms: list(
      object({
        id: matches(/^[0-9A-Za-z]{12}$/, '12 letters and digits'),
        revision: id,
        workspaceId: id,
        slug: matches(/^[0-9A-Za-z_-]{1,100}$/, 'letters, digits, - and _'),
        title,
        status: oneOf(...FORM_STATUSES),
        questions: list(question),
        language: optional(language),
        appearance,
        publication: orNull(
          object({
            title,
            questions: list(question),
            language: optional(language),
            appearance,
            publishedAt: instant,
          }),
        ),
        statusBeforeArchive: orNull(oneOf('draft', 'published', 'closed')),
        responseCount: whole,
        responseLimit: orNull(id),
        opensAt: orNull(instant),
        closesAt: orNull(instant),
        createdAt: instant,
        updatedAt: instant,
        trashedAt: orNull(instant),
      }),
    ),
    lastRevision: whole,
  }),
  responses: object({
    responses: list(
      object({
        id: id,
        formId: text,
        status: oneOf('submitted', 'in_progress'),
        startedAt: instant,
        at: instant,
        sequence: optional(id),
        durationSec: optional(whole),
        content: object({
          email: orNull(text),
          score: orNull(number),
          maxScore: orNull(number),
          answers: list(answer),
          meta: all(anyObject, json),
        }),
        draft: orNull(object({ token: text, answers: list(object({ question_id: text, value: json })) })),
      }),
    ),
    lastId: whole,
  }),
  endpoints: object({
    endpoints: list(
      object({
        id: id,
        formId: text,
        workspaceId: id,
        url: text,
        active: flag,
        secret: matches(/^whsec_./, 'a secret that begins whsec_'),
        createdAt: instant,
        builtIn: optional(must((value) => value === true, 'true')),
        // Absent in the snapshots of earlier versions.
        pausedAt: optional(instant),
        notSent: optional(whole),
        failingSince: optional(orNull(instant)),
      }),
    ),
    lastId: whole,
  }),
  deliveries: object({
    deliveries: list(
      object({
        sequence: id,
        id: text,
        endpointId: id,
        formId: text,
        event: oneOf('response.submitted', 'test.ping'),
        responseId: whole,
        body: orNull(jsonObject),
        status: oneOf('pending', 'delivered', 'failed'),
        attempts: list(
          object({
            number: id,
            startedAt: instant,
            durationMs: number,
            httpStatus: orNull(whole),
            error: orNull(text),
            signature: text,
            timestamp: number,
            receiverAnswer: orNull(text),
          }),
        ),
        nextAttemptAt: orNull(instant),
        stopNote: orNull(text),
        note: orNull(text),
        createdAt: instant,
      }),
    ),
    lastSequence: whole,
  }),
  uploads: object({
    uploads: list(
      object({
        id: text,
        formId: text,
        questionId: orNull(text),
        name: text,
        size: whole,
        uploadedAt: instant,
        responseId: orNull(id),
      }),
    ),
  }),
  // Absent in the snapshots of earlier versions.
  submitTokens: optional(
    object({
      issued: whole,
      expiredUpTo: orNull(submitToken),
      used: list(object({ token: submitToken, formId: text, responseId: id })),
    }),
  ),
  source: optional(
    object({
      base_url: text,
      pulled_at: text,
      scrubbed: must(
        (value) => value === false || value === 'normal' || value === 'strict',
        'normal, strict or false',
      ),
    }),
  ),
})

/** Checks the type of every record of a dump before it is loaded. @throws SnapshotError for the first error. */
export function checkDump(dump: unknown): void {
  checkState(dump, 'state')
}
