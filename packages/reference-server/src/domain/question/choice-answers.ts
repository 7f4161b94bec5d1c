import type { ChoiceValue } from '@formwire/contract'
import { type AnswerHandler, accepted, type Checked, isObject, refused, SKIPPED } from './handler.ts'
import { numericBounds, type Question } from './question.ts'

/** Labels of the options named, in the order of `ids`, the other text last (RESP-07). */
export function choiceText(question: Question, value: ChoiceValue): string {
  const byId = new Map(question.options?.map(({ id, label }) => [id, label]))
  const labels = value.ids.map((id) => byId.get(id) ?? id)
  return (value.other === null ? labels : [...labels, value.other]).join(', ')
}

/**
 * Reads `{"ids": [...], "other"}` as far as choices and rankings share it: known options without repeats, and an other
 * text only where it is allowed. A blank other text counts as none.
 */
export function readChoice(question: Question, value: unknown): Checked<ChoiceValue> {
  if (!isObject(value) || !Array.isArray(value.ids)) {
    return refused('Answer with {"ids": [option id, …], "other": text or null}.')
  }
  const known = new Set(question.options?.map((option) => option.id))
  const seen = new Set<string>()
  for (const id of value.ids as readonly unknown[]) {
    if (typeof id !== 'string' || !known.has(id)) return refused('Choose from the options of the question.')
    if (seen.has(id)) return refused('Choose each option once.')
    seen.add(id)
  }
  const other = value.other ?? null
  if (other !== null && typeof other !== 'string') return refused('Give the other answer as a text.')
  const text = other?.trim() ? other : null
  if (text !== null && question.allow_other !== true)
    return refused('Choose one of the options: no other answer is taken.')
  return accepted({ ids: [...seen], other: text })
}

const plural = (count: number): string => `${count} option${count === 1 ? '' : 's'}`

function choiceHandler(multiple: boolean): AnswerHandler<ChoiceValue> {
  return {
    check(question, value, { draft }) {
      const choice = readChoice(question, value)
      if (!choice.ok || choice.value === undefined) return choice
      const count = choice.value.ids.length + (choice.value.other === null ? 0 : 1)
      if (count === 0) return SKIPPED
      if (!multiple && count > 1) return refused('Choose one option.')
      const { min, max } = numericBounds(question)
      if (multiple && count < min && !draft) return refused(`Choose at least ${plural(min)}.`)
      if (multiple && count > max) return refused(`Choose at most ${plural(max)}.`)
      return choice
    },
    text: choiceText,
  }
}

export const oneChoice = choiceHandler(false)
export const anyChoices = choiceHandler(true)
