import type { ChoiceValue } from '@formwire/contract'
import { isObject } from '@formwire/internal/json'
import { accepted } from '../result.ts'
import { type AnswerHandler, type Checked, refusedAnswer, SKIPPED } from './handler.ts'
import { numericBounds, type Question } from './question.ts'

/** Marks a choice whose respondent ticked "Other" on the page of the form, with or without a text. JSON cannot have it. */
export const OTHER_TICKED = Symbol('other ticked')

/** Returns the labels of the chosen options in the order of `ids`, then the other text (RESP-07). */
function choiceText(question: Question, value: ChoiceValue): string {
  const byId = new Map(question.options?.map(({ id, label }) => [id, label]))
  const labels = value.ids.map((id) => byId.get(id) ?? id)
  return (value.other === null ? labels : [...labels, value.other]).join(', ')
}

/**
 * Validates what choices and rankings share of `{"ids": [...], "other"}`: known options without duplicates, and an other
 * text only where it is allowed. A blank other text is ignored.
 */
function readChoice(question: Question, value: unknown): Checked<ChoiceValue> {
  if (!isObject(value) || !Array.isArray(value.ids)) {
    return refusedAnswer('Answer with {"ids": [option id, …], "other": text or null}.')
  }
  const known = new Set(question.options?.map((option) => option.id))
  const seen = new Set<string>()
  for (const id of value.ids as readonly unknown[]) {
    if (typeof id !== 'string' || !known.has(id))
      return refusedAnswer('Choose from the options of the question.')
    if (seen.has(id)) return refusedAnswer('Choose each option once.')
    seen.add(id)
  }
  const other = value.other ?? null
  if (other !== null && typeof other !== 'string') return refusedAnswer('The other answer must be a string.')
  const text = other?.trim() ? other : null
  if (text !== null && question.allow_other !== true)
    return refusedAnswer('Choose one of the options; other answers are not accepted.')
  return accepted({ ids: [...seen], other: text })
}

const plural = (count: number): string => `${count} option${count === 1 ? '' : 's'}`

function choiceHandler(multiple: boolean): AnswerHandler<ChoiceValue> {
  return {
    shape: 'choice',
    check(question, value, { draft }) {
      const choice = readChoice(question, value)
      if (!choice.ok || choice.value === undefined) return choice
      const count = choice.value.ids.length + (choice.value.other === null ? 0 : 1)
      if (choice.value.other === null && !draft && (value as { [OTHER_TICKED]?: true })[OTHER_TICKED])
        return refusedAnswer(
          `Enter your other answer, or ${multiple ? 'deselect "Other"' : 'choose another option'}.`,
        )
      if (count === 0) return SKIPPED
      if (!multiple && count > 1) return refusedAnswer('Choose one option.')
      const { min, max } = numericBounds(question)
      if (multiple && count < min && !draft) return refusedAnswer(`Choose at least ${plural(min)}.`)
      if (multiple && count > max) return refusedAnswer(`Choose at most ${plural(max)}.`)
      return choice
    },
    text: choiceText,
  }
}

export const oneChoice = choiceHandler(false)
export const anyChoices = choiceHandler(true)

/** A ranking has every option once, first place first. A draft may lack some. */
export const ranking: AnswerHandler<ChoiceValue> = {
  shape: 'choice',
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
