import { isRealDate, isRealTime } from './date-time-answers.ts'
import { isObject } from './handler.ts'
import type { Question, ShowIf } from './question.ts'
import { type BoundKind, QUESTION_TYPE_PARTS } from './question-types.ts'
import { DefinitionError } from './read-parts.ts'

/** A value that no answer can have is refused: such a question could never be shown. */
const COMPARABLE: Partial<Record<BoundKind, { holds: (equals: unknown) => boolean; message: string }>> = {
  value: { holds: Number.isFinite, message: 'must be a number: the question that it compares has numbers' },
  integer: {
    holds: Number.isInteger,
    message: 'must be a whole number, as the answers that it is compared with',
  },
  length: {
    holds: (equals) => typeof equals === 'string',
    message: 'must be a text, as the answers that it is compared with',
  },
  date: {
    holds: (equals) => typeof equals === 'string' && isRealDate(equals),
    message: 'must be a date, YYYY-MM-DD',
  },
  time: {
    holds: (equals) => typeof equals === 'string' && isRealTime(equals),
    message: 'must be a time, HH:MM',
  },
}

/** Reads `{question_id, equals}`. The question it names must stand earlier in the form, so that logic has no circles. */
export function readShowIf(
  input: unknown,
  path: string,
  earlier: ReadonlyMap<string, Question>,
): ShowIf | undefined {
  if (input === undefined || input === null) return undefined
  if (!isObject(input)) throw new DefinitionError(path, 'must be an object {"question_id", "equals"}')
  const { question_id: id, equals } = input
  const controlling = typeof id === 'string' ? earlier.get(id) : undefined
  if (controlling === undefined) {
    throw new DefinitionError(
      `${path}.question_id`,
      'must be the id of a question that stands earlier in the form',
    )
  }
  if (equals === undefined || equals === null)
    throw new DefinitionError(`${path}.equals`, 'must be the answer to compare with')
  const { options, bounds } = QUESTION_TYPE_PARTS[controlling.type]
  if (options !== undefined) {
    if (!controlling.options?.some((option) => option.id === equals)) {
      throw new DefinitionError(`${path}.equals`, `must be the id of an option of "${controlling.id}"`)
    }
  } else if (bounds !== undefined) {
    const rule = COMPARABLE[bounds]
    if (rule && !rule.holds(equals)) throw new DefinitionError(`${path}.equals`, rule.message)
  }
  return { question_id: controlling.id, equals }
}
