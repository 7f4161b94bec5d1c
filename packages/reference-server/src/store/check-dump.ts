import { FORM_STATUSES, QUESTION_TYPES } from '@formwire/contract'

/** A dump that cannot be loaded: the first place that is wrong, and why. */
export class DumpError extends Error {
  override readonly name = 'DumpError'
  /** Where, as in `state.forms.forms[2].slug`. */
  readonly path: string

  constructor(path: string, message: string) {
    super(message)
    this.path = path
  }
}

type Check = (value: unknown, path: string) => void

const must =
  (holds: (value: unknown) => boolean, message: string): Check =>
  (value, path) => {
    if (!holds(value)) throw new DumpError(path, message)
  }
const text = must((value) => typeof value === 'string', 'has to be a text')
const flag = must((value) => typeof value === 'boolean', 'has to be true or false')
const number = must((value) => Number.isFinite(value), 'has to be a number')
const whole = must((value) => Number.isSafeInteger(value) && Number(value) >= 0, 'has to be a whole number')
/** Milliseconds since 1970 that a `Date` can hold. */
const instant = must(
  (value) => typeof value === 'number' && !Number.isNaN(new Date(value).getTime()),
  'has to be an instant in milliseconds',
)
const jsonObject = must((value) => {
  try {
    return typeof value === 'string' && JSON.parse(value)?.constructor === Object
  } catch {
    return false
  }
}, 'has to be the text of a JSON object')
const anything: Check = () => {}
const oneOf = (...values: readonly string[]): Check =>
  must((value) => values.includes(value as string), `has to be one of ${values.join(', ')}`)
const orNull =
  (check: Check): Check =>
  (value, path) => {
    if (value !== null) check(value, path)
  }
const isObject = must(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'has to be an object',
)
/** An object with these members; others are let through. */
const object =
  (members: Readonly<Record<string, Check>>): Check =>
  (value, path) => {
    isObject(value, path)
    for (const name in members) {
      members[name]?.((value as Record<string, unknown>)[name], path === '' ? name : `${path}.${name}`)
    }
  }
const list =
  (check: Check): Check =>
  (value, path) => {
    if (!Array.isArray(value)) throw new DumpError(path, 'has to be a list')
    // Not forEach: it would pass over the holes of a sparse list.
    for (let i = 0; i < value.length; i += 1) check(value[i], `${path}[${i}]`)
  }

const question = object({ id: text, type: oneOf(...QUESTION_TYPES), title: text, required: flag })

const checkState = object({
  people: object({
    users: list(object({ id: whole, name: text, email: text, passwordChangedAt: orNull(instant) })),
    workspaces: list(
      object({ id: whole, name: text, plan: oneOf('free', 'starter', 'business'), createdAt: instant }),
    ),
    memberships: list(
      object({ workspaceId: whole, userId: whole, role: oneOf('owner', 'editor', 'viewer') }),
    ),
    lastUserId: whole,
    lastWorkspaceId: whole,
  }),
  keys: object({
    keys: list(
      object({
        id: whole,
        name: text,
        prefix: text,
        scope: oneOf('read', 'write'),
        hash: text,
        userId: whole,
        workspaceId: whole,
        createdAt: instant,
        revokedAt: orNull(instant),
      }),
    ),
    lastId: whole,
  }),
  forms: object({
    forms: list(
      object({
        id: text,
        revision: whole,
        workspaceId: whole,
        slug: text,
        title: text,
        status: oneOf(...FORM_STATUSES),
        questions: list(question),
        publication: orNull(object({ title: text, questions: list(question), publishedAt: instant })),
        statusBeforeArchive: orNull(oneOf(...FORM_STATUSES)),
        responseCount: whole,
        responseLimit: orNull(whole),
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
        id: whole,
        formId: text,
        status: oneOf('submitted', 'in_progress'),
        startedAt: instant,
        at: instant,
        content: object({
          email: orNull(text),
          score: orNull(number),
          maxScore: orNull(number),
          answers: list(object({ question_id: text, title: text, type: text, text: text })),
          meta: object({}),
        }),
        draft: orNull(object({ token: text, answers: list(object({ question_id: text, value: anything })) })),
      }),
    ),
    lastId: whole,
  }),
  endpoints: object({
    endpoints: list(
      object({
        id: whole,
        formId: text,
        workspaceId: whole,
        url: text,
        active: flag,
        secret: text,
        createdAt: instant,
      }),
    ),
    lastId: whole,
  }),
  deliveries: object({
    deliveries: list(
      object({
        sequence: whole,
        id: text,
        endpointId: whole,
        formId: text,
        event: oneOf('response.submitted', 'test.ping'),
        responseId: whole,
        body: orNull(jsonObject),
        status: oneOf('pending', 'delivered', 'failed'),
        attempts: list(
          object({
            number: whole,
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
        responseId: orNull(whole),
      }),
    ),
  }),
})

/** Every record of a dump in its type, before any of it is loaded. @throws DumpError with the first that is not. */
export function checkDump(dump: unknown): void {
  checkState(dump, 'state')
}
