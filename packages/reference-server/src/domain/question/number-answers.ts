import { type AnswerHandler, accepted, refused } from './handler.ts'
import { numericBounds, type Question } from './question.ts'

function rangeMessage(question: Question, whole: boolean): string {
  const { min, max } = numericBounds(question)
  const kind = whole ? 'a whole number' : 'a number'
  if (Number.isFinite(min) && Number.isFinite(max)) return `Give ${kind} from ${min} to ${max}.`
  if (Number.isFinite(min)) return `Give ${kind} of ${min} or more.`
  if (Number.isFinite(max)) return `Give ${kind} of ${max} or less.`
  return `Give ${kind}.`
}

function numberHandler(whole: boolean): AnswerHandler<number> {
  return {
    check(question, value) {
      const { min, max } = numericBounds(question)
      // JSON can say 1e999, which reads as Infinity.
      if (typeof value !== 'number' || !Number.isFinite(value)) return refused(rangeMessage(question, whole))
      if (whole && !Number.isInteger(value)) return refused(rangeMessage(question, whole))
      if (value < min || value > max) return refused(rangeMessage(question, whole))
      // JSON has no negative zero to give back.
      return accepted(value === 0 ? 0 : value)
    },
    text: (_question, value) => String(value),
  }
}

/** Any finite number. */
export const anyNumber = numberHandler(false)
/** A step of a scale. */
export const wholeNumber = numberHandler(true)
