import type { ChoiceValue } from '@formwire/contract'
import { isObject } from '@formwire/internal/json'

import type { Question } from './question.ts'
import { QUESTION_TYPE_PARTS } from './question-types.ts'

/** Whether two JSON values are equal, whatever the order of an object's members. */
function isSameValue(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isSameValue(item, right[index]))
  }
  if (!isObject(left) || !isObject(right)) return false
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSameValue(left[name], right[name]))
  )
}

/**
 * Whether logic shows a question (RESP-06). `value` is the checked answer to the question that `show_if` names. It is
 * `undefined` when that question was skipped or is hidden, which hides the questions that depend on it.
 */
export function isShown(question: Question, controlling: Question | undefined, value: unknown): boolean {
  if (question.show_if === undefined) return true
  if (controlling === undefined || value === undefined) return false
  const { equals } = question.show_if
  if (QUESTION_TYPE_PARTS[controlling.type].options === undefined) return isSameValue(value, equals)
  return (value as ChoiceValue).ids.some((id) => id === equals)
}
