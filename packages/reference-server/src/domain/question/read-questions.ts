import { QUESTION_TYPES } from '@formwire/contract'
import { isObject } from '@formwire/internal/json'
import { accepted, type FieldRefusal, type Result, refused } from '../result.ts'

import { pageLength } from './page-length.ts'
import type { Question } from './question.ts'
import { QUESTION_TYPE_PARTS, YES_NO_OPTIONS } from './question-types.ts'
import { readBounds } from './read-bounds.ts'
import { DefinitionError, readChoices, readId, readText } from './read-parts.ts'
import { readPoints } from './read-points.ts'
import { readShowIf } from './read-show-if.ts'

const MAX_QUESTIONS = 1000
/** Maximum length of a page, in characters. Rendering a longer one would block all other requests. */
const MAX_PAGE_LENGTH = 8_000_000
/** A grid has a field per row and column, so its page grows with the square of its definition. */
const MAX_ROWS = 500
const MAX_COLUMNS = 100
const MAX_OPTIONS = 5000

/**
 * Validates the questions of `POST /_app/forms` and fills in defaults: ids by position (`q1`, `q2` …), the bounds of
 * scales, the options of `yes_no`. Unknown fields and fields that a type does not use are ignored (ENV-09). A refusal's
 * `field` is the path of the part at fault, such as `questions[2].options[0].id`; `path` is its first part. Never throws.
 */
export function readQuestions(input: unknown, path = 'questions'): Result<Question[], FieldRefusal> {
  try {
    if (!Array.isArray(input)) throw new DefinitionError(path, 'must be a list of questions')
    if (input.length > MAX_QUESTIONS)
      throw new DefinitionError(path, `must be a list of at most ${MAX_QUESTIONS}, got ${input.length}`)
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
  if (length <= MAX_PAGE_LENGTH) return
  throw new DefinitionError(
    path,
    `must produce a page of at most ${MAX_PAGE_LENGTH} characters, got about ${length}; use fewer questions, options, rows or columns, or shorter texts`,
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
      rows: readChoices(input.rows, `${path}.rows`, MAX_ROWS),
      columns: readChoices(input.columns, `${path}.columns`, MAX_COLUMNS),
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
  return kind === 'given' ? readChoices(input, path, MAX_OPTIONS) : undefined
}

function readFlag(input: unknown, path: string): boolean {
  if (input === undefined || input === null) return false
  if (typeof input !== 'boolean') throw new DefinitionError(path, 'must be true or false')
  return input
}
