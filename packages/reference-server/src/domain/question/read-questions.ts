import { QUESTION_TYPES } from '@formwire/contract'
import { isObject } from '@formwire/internal/json'
import { accepted, type FieldRefusal, type Result, refused } from '../result.ts'
import { isRealDate, isRealTime } from './date-time-answers.ts'
import { filesAsDescribed } from './handler.ts'
import { pageLength } from './page-length.ts'
import type { Choice, Question, ShowIf } from './question.ts'
import {
  type BoundKind,
  QUESTION_TYPE_PARTS,
  type QuestionTypeParts,
  YES_NO_OPTIONS,
} from './question-types.ts'

/** What a form may have at most. */
export const QUESTION_LIMITS = {
  questions: 1000,
  options: 5000,
  /** A grid has a field per row and column, so its page grows with the square of its definition. */
  rows: 500,
  columns: 100,
  /** Length of a page, in characters. Rendering a longer one would block all other requests. */
  page: 8_000_000,
} as const

/**
 * Validates the questions of `POST /_app/forms` and fills in defaults: ids by position (`q1`, `q2` …), the bounds of
 * scales, the options of `yes_no`. Unknown fields and fields that a type does not use are ignored (ENV-09). A refusal's
 * `field` is the path of the part at fault, such as `questions[2].options[0].id`; `path` is its first part. Never throws.
 */
export function readQuestions(input: unknown, path = 'questions'): Result<Question[], FieldRefusal> {
  try {
    if (!Array.isArray(input)) throw new DefinitionError(path, 'must be a list of questions')
    if (input.length > QUESTION_LIMITS.questions)
      throw new DefinitionError(
        path,
        `must be a list of at most ${QUESTION_LIMITS.questions}, got ${input.length}`,
      )
    const taken = new Set((input as readonly unknown[]).map((item) => (isObject(item) ? item.id : undefined)))
    const questions = new Map<string, Question>()
    for (const [index, item] of (input as readonly unknown[]).entries()) {
      const question = readQuestion(item, `${path}[${index}]`, defaultId(index, taken), questions)
      if (questions.has(question.id)) {
        throw new DefinitionError(`${path}[${index}].id`, `"${question.id}" is the id of an earlier question`)
      }
      questions.set(question.id, question)
    }
    refuseLongPage([...questions.values()], path)
    return accepted([...questions.values()])
  } catch (error) {
    if (error instanceof DefinitionError) return refused({ field: error.field, message: error.message })
    throw error
  }
}

function refuseLongPage(questions: readonly Question[], path: string): void {
  const length = pageLength(questions)
  if (length <= QUESTION_LIMITS.page) return
  throw new DefinitionError(
    path,
    `must produce a page of at most ${QUESTION_LIMITS.page} characters, got about ${length}; use fewer questions, options, rows or columns, or shorter texts`,
  )
}

/** Returns `q3` for the third question, unless another question has that id. */
function defaultId(index: number, taken: ReadonlySet<unknown>): string {
  let id = `q${index + 1}`
  while (taken.has(id)) id += '_'
  return id
}

function readQuestion(
  input: unknown,
  path: string,
  fallbackId: string,
  earlier: ReadonlyMap<string, Question>,
): Question {
  if (!isObject(input))
    throw new DefinitionError(path, 'must be an object such as {"type": "short_text", "title": "…"}')
  const type = QUESTION_TYPES.find((known) => known === input.type)
  if (type === undefined)
    throw new DefinitionError(`${path}.type`, `must be one of ${QUESTION_TYPES.join(', ')}`)
  const parts = QUESTION_TYPE_PARTS[type]
  const id = input.id === undefined || input.id === null ? fallbackId : readId(input.id, `${path}.id`)
  const title = readText(input.title, `${path}.title`)
  const options = readOptions(input.options, `${path}.options`, parts.options)
  const showIf = readShowIf(input.show_if, `${path}.show_if`, earlier)
  const points = parts.points ? readPoints(input.points, `${path}.points`, options ?? []) : undefined
  return {
    id,
    type,
    title,
    required: readFlag(input.required, `${path}.required`),
    ...(options && { options }),
    ...(parts.other && { allow_other: readFlag(input.allow_other, `${path}.allow_other`) }),
    ...(parts.grid && {
      rows: readChoices(input.rows, `${path}.rows`, QUESTION_LIMITS.rows),
      columns: readChoices(input.columns, `${path}.columns`, QUESTION_LIMITS.columns),
    }),
    ...readBounds(input.min, input.max, path, parts),
    ...(points && { points }),
    ...(showIf && { show_if: showIf }),
  }
}

function readOptions(
  input: unknown,
  path: string,
  kind: 'given' | 'yes_no' | undefined,
): Question['options'] {
  if (kind === 'yes_no') return YES_NO_OPTIONS
  return kind === 'given' ? readChoices(input, path, QUESTION_LIMITS.options) : undefined
}

function readFlag(input: unknown, path: string): boolean {
  if (input === undefined || input === null) return false
  if (typeof input !== 'boolean') throw new DefinitionError(path, 'must be true or false')
  return input
}

/**
 * Reads `{option_id: points}`. Missing options and the other text give no points. A question with an empty object has no
 * points.
 */
function readPoints(
  input: unknown,
  path: string,
  options: readonly Choice[],
): Readonly<Record<string, number>> | undefined {
  if (input === undefined || input === null) return undefined
  if (!isObject(input)) throw new DefinitionError(path, 'must be an object from option id to number')
  const known = new Set(options.map((option) => option.id))
  const points = Object.entries(input).map(([id, value]) => {
    if (!known.has(id)) throw new DefinitionError(path, `names "${id}", which is not an option`)
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw new DefinitionError(`${path}.${id}`, 'must be a number')
    return [id, value] as const
  })
  return points.length > 0 ? Object.fromEntries(points) : undefined
}

/**
 * Reads `{question_id, equals}`. The question must come earlier in the form, so that logic has no circles, and `equals`
 * must be a valid answer to it, since the question would never be shown otherwise.
 */
function readShowIf(
  input: unknown,
  path: string,
  earlier: ReadonlyMap<string, Question>,
): ShowIf | undefined {
  if (input === undefined || input === null) return undefined
  if (!isObject(input)) throw new DefinitionError(path, 'must be an object {"question_id", "equals"}')
  const { question_id: id, equals } = input
  const controlling = typeof id === 'string' ? earlier.get(id) : undefined
  if (controlling === undefined) {
    throw new DefinitionError(`${path}.question_id`, 'must be the id of an earlier question of the form')
  }
  return { question_id: controlling.id, equals: readComparable(controlling, equals, `${path}.equals`) }
}

function readComparable(controlling: Question, equals: unknown, path: string): unknown {
  if (QUESTION_TYPE_PARTS[controlling.type].options !== undefined) {
    const option = controlling.options?.find((candidate) => candidate.id === equals)
    if (option === undefined)
      throw new DefinitionError(path, `must be the id of an option of "${controlling.id}"`)
    return option.id
  }
  const context = { draft: true, file: filesAsDescribed }
  const checked = QUESTION_TYPE_PARTS[controlling.type].handler.check(controlling, equals, context)
  if (!checked.ok || checked.value === undefined) {
    const { message } = checked.ok ? { message: '' } : checked.refusal
    const why = message === '' ? '' : `: ${message.endsWith('.') ? message.slice(0, -1) : message}`
    throw new DefinitionError(path, `must be a valid answer to "${controlling.id}"${why}`)
  }
  return checked.value
}

interface BoundRule {
  readonly holds: (bound: unknown) => boolean
  readonly message: string
}

const COUNT: BoundRule = {
  holds: (bound) => Number.isSafeInteger(bound) && Number(bound) >= 0,
  message: 'must be an integer of 0 or more',
}

const BOUND_RULES: Readonly<Record<BoundKind, BoundRule>> = {
  value: { holds: Number.isFinite, message: 'must be a number' },
  integer: { holds: Number.isSafeInteger, message: 'must be an integer' },
  length: COUNT,
  count: COUNT,
  date: {
    holds: (bound) => typeof bound === 'string' && isRealDate(bound),
    message: 'must be a date, YYYY-MM-DD',
  },
  time: {
    holds: (bound) => typeof bound === 'string' && isRealTime(bound),
    message: 'must be a time, HH:MM',
  },
}

type Bounds = Pick<Question, 'min' | 'max'>

/** Reads `min` and `max` of a question type. `null` is the same as a missing value. `min` must not be above `max`. */
function readBounds(min: unknown, max: unknown, path: string, parts: QuestionTypeParts): Bounds {
  if (parts.bounds === undefined) return {}
  const rule = BOUND_RULES[parts.bounds]
  const read = (name: 'min' | 'max', input: unknown): Bounds => {
    const bound = input ?? parts.defaultBounds?.[name]
    if (bound === undefined) return {}
    if (!rule.holds(bound)) throw new DefinitionError(`${path}.${name}`, rule.message)
    return { [name]: bound }
  }
  const bounds = { ...read('min', min), ...read('max', max) }
  // Both are numbers, or texts of the same width.
  if (bounds.min !== undefined && bounds.max !== undefined && bounds.min > bounds.max) {
    throw new DefinitionError(`${path}.min`, `must not be above max, which is ${bounds.max}`)
  }
  return bounds
}

/** An error in a question's definition. `readQuestions` catches it. */
class DefinitionError extends Error {
  override readonly name = 'DefinitionError'
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

/** Maximum length of an id, in UTF-16 units. */
const ID_MAX_LENGTH = 100
/** Brackets would break the field names of the HTML form, `q[ID][ROW]`. */
const NOT_IN_IDS = /[[\]\p{Cc}\p{Cs}]/u

/** Returns why a question, option, row or column cannot have an id; `undefined` if it can. */
export function idProblem(id: unknown): string | undefined {
  if (typeof id !== 'string' || id.trim() === '') return BLANK
  if (id.length > ID_MAX_LENGTH) return `must have at most ${ID_MAX_LENGTH} characters`
  if (NOT_IN_IDS.test(id)) return 'must not contain brackets or control characters'
  return id === '__proto__' ? 'must not be __proto__, which JavaScript clients cannot read' : undefined
}

function readId(input: unknown, path: string): string {
  const problem = idProblem(input)
  if (problem !== undefined) throw new DefinitionError(path, problem)
  return input as string
}

const BLANK = 'must be a string that is not blank'

function readText(input: unknown, path: string): string {
  if (typeof input !== 'string' || input.trim() === '') throw new DefinitionError(path, BLANK)
  return input
}

/** Reads one to `most` choices `{id, label}` with different ids. */
function readChoices(input: unknown, path: string, most: number): Choice[] {
  if (!Array.isArray(input) || input.length === 0) {
    throw new DefinitionError(path, 'must be a list of at least one {"id", "label"}')
  }
  if (input.length > most) throw new DefinitionError(path, `must be a list of at most ${most}`)
  const seen = new Set<string>()
  // Unlike map, Array.from does not skip the holes of a sparse array.
  return Array.from(input as readonly unknown[], (item, index) => {
    const at = `${path}[${index}]`
    if (!isObject(item)) throw new DefinitionError(at, 'must be an object {"id", "label"}')
    const id = readId(item.id, `${at}.id`)
    if (seen.has(id)) throw new DefinitionError(`${at}.id`, `"${id}" appears twice`)
    seen.add(id)
    return { id, label: readText(item.label, `${at}.label`) }
  })
}
