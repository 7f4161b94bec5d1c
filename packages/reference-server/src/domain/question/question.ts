import type { Question } from '@formwire/contract/control'

export type { Choice, Question, ShowIf, SubmittedAnswer } from '@formwire/contract/control'

/** Returns the numeric bounds of a question; missing ones are infinite. */
export function numericBounds(question: Question): { min: number; max: number } {
  const { min, max } = question
  return {
    min: typeof min === 'number' ? min : Number.NEGATIVE_INFINITY,
    max: typeof max === 'number' ? max : Number.POSITIVE_INFINITY,
  }
}
