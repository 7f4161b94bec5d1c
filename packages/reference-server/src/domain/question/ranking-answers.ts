import type { ChoiceValue } from '@formwire/contract'
import { choiceText, readChoice } from './choice-answers.ts'
import { type AnswerHandler, refusedAnswer, SKIPPED } from './handler.ts'

/** A ranking has every option once, first place first. A draft may lack some. */
export const ranking: AnswerHandler<ChoiceValue> = {
  check(question, value, { draft }) {
    const order = readChoice(question, value)
    if (!order.ok || order.value === undefined) return order
    const ranked = order.value.ids.length
    if (ranked === 0) return SKIPPED
    if (ranked < (question.options?.length ?? 0) && !draft)
      return refusedAnswer('Rank every option, each in a different place.')
    return order
  },
  text: choiceText,
}
