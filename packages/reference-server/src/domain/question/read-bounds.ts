import { isRealDate, isRealTime } from './date-time-answers.ts'
import type { Question } from './question.ts'
import type { BoundKind, QuestionTypeParts } from './question-types.ts'
import { DefinitionError } from './read-parts.ts'

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
export function readBounds(min: unknown, max: unknown, path: string, parts: QuestionTypeParts): Bounds {
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
