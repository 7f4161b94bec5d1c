import type { Answer, FormResponse } from '@formwire/contract'
import { ADDRESS_PARTS, shapeOf, type Variant } from '../../types/shape.ts'
import { idOf, isPlain, markedText, shapeOfText, wordsOf } from '../untrusted.ts'

/**
 * What is shown of a response. Texts of the respondent are everything that they can write: answers and their "other", names of files,
 * parts of addresses, numbers and dates that were typed (a date of birth is one), the email, and all of `meta`, which is made of their
 * browser and their link. Without `withTexts`, each is replaced by its shape, `{"text": 42}` for 42 characters; with it, each is marked.
 * Chosen ids and points of a scale are shown either way, the labels of options with texts only.
 */
export function responseView(response: FormResponse, withTexts: boolean) {
  const { email, answers, meta } = response
  const show: Show = withTexts ? marked : shapeOfText
  return {
    ...wordsOf(response, 'id', 'status', 'started_at', 'submitted_at', 'duration_sec', 'score', 'max_score'),
    email: isPlain(email) ? email : show(email),
    answers: Array.isArray(answers)
      ? answers.map((answer) => answerView(answer, withTexts, show))
      : show(answers),
    meta: show(meta),
  }
}

/** Shows a value that a respondent wrote. */
type Show = (value: unknown) => unknown

/** Types whose numbers are chosen, not typed. */
export const SCALES: ReadonlySet<string> = new Set(['scale', 'rating', 'nps', 'slider'])

const marked: Show = (value) => (isPlain(value) ? value : markedText(value))

function answerView(answer: Answer, withTexts: boolean, show: Show) {
  const { type, value, text } = Object(answer) as Answer
  const [variant] = shapeOf(value, type)
  return {
    ...wordsOf(Object(answer) as Answer, 'question_id', 'type'),
    value: isPlain(value) && SCALES.has(type) ? value : valueView(value, variant, show),
    // The labels of options, and what else `value` does not say.
    ...(withTexts && text !== String(value) && { text: show(text) }),
  }
}

function valueView(value: unknown, variant: Variant | undefined, show: Show): unknown {
  switch (variant?.kind) {
    case 'boolean':
    case 'null':
      return value
    case 'choice': {
      const { ids, other } = value as { ids: string[]; other: string | null }
      return { ids: ids.map((id) => idOf(id, show)), ...(other === null ? {} : { other: show(other) }) }
    }
    case 'grid_single':
    case 'grid_multiple':
      return Object.entries(value as object).map(([row, columns]) => ({
        row: idOf(row, show),
        columns: [columns].flat().map((id) => idOf(id, show)),
      }))
    case 'files':
      return (value as { name: string; size: number }[]).map(({ name, size }) => ({ name: show(name), size }))
    case 'address':
      return Object.fromEntries(ADDRESS_PARTS.map((part) => [part, show((value as Address)[part])]))
    default:
      return show(value)
  }
}

type Address = Record<(typeof ADDRESS_PARTS)[number], string>
