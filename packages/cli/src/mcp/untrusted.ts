import { isObject } from '@formwire/internal/json'
import { cutText } from './result.ts'

/** Characters of one text of a respondent. */
const TEXT_MAX_CHARACTERS = 500

/** Members of an answer that the service wrote. */
const OF_THE_SERVICE = new Set(['question_id', 'type', 'id', 'ids'])

/** Returns a text that a stranger wrote, marked so that it is not taken for an instruction. */
export const untrusted = (text: string): { untrusted: string } => ({
  untrusted: cutText(text, TEXT_MAX_CHARACTERS),
})

/** Returns the value with every text marked that a respondent wrote: in answers, in `meta`, `email`, and in raw bodies. */
export function markRespondents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(markRespondents)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === 'answers' || key === 'meta'
        ? marked(member)
        : typeof member === 'string' && (key === 'raw_body' || key === 'email')
          ? untrusted(member)
          : markRespondents(member),
    ]),
  )
}

function marked(value: unknown): unknown {
  if (typeof value === 'string') return untrusted(value)
  if (Array.isArray(value)) return value.map(marked)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, OF_THE_SERVICE.has(key) ? member : marked(member)]),
  )
}
