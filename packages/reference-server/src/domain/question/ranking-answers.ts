import type { ChoiceValue } from '@formwire/contract'
import { choiceText, readChoice } from './choice-answers.ts'
import { type AnswerHandler, refused, SKIPPED } from './handler.ts'

/** A ranking names every option once, the first place first; a draft may still lack some. */
export const ranking: AnswerHandler<ChoiceValue> = {
  check(question, value, { draft }) {
    const order = readChoice(question, value)
    if (!order.ok || order.value === undefined) return order
    const ranked = order.value.ids.length
    if (ranked === 0) return SKIPPED
    if (ranked < (question.options?.length ?? 0) && !draft)
      return refused('Give every option a place of its own.')
    return order
  },
  text: choiceText,
}
