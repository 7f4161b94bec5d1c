import { isObjectOrArray } from '@formwire/internal/json'
import type { PulledResponse } from '../lines.ts'
import { MAX_DEPTH } from '../scrub/pseudonyms.ts'
import { isIrregular, isOtherText, isPersonal, isTechnical } from '../scrub/scrubber.ts'

/** A text, and where it is: the id of a question, `email`, or a member of `meta`. */
export interface PersonalText {
  readonly question: string
  readonly text: string
}

/** Yields every text of a response that scrubbing replaces. */
export function* personalTexts({ email, meta = {}, answers }: PulledResponse): Generator<PersonalText> {
  if (email) yield { question: 'email', text: email }
  for (const [name, value] of Object.entries(meta)) {
    if (isTechnical(name, value)) continue
    for (const text of textsIn(value)) yield { question: `meta.${name}`, text }
  }
  for (const { question_id: question, type, value, text } of answers) {
    if (isPersonal(type) || isIrregular(type, value)) {
      for (const one of textsIn(value)) yield { question, text: one }
      if (text !== undefined && typeof value !== 'string') yield { question, text }
    } else if (isOtherText(value)) yield { question, text: value.other }
  }
}

function* textsIn(value: unknown, depth = 0): Generator<string> {
  if (typeof value === 'string') yield value
  else if (isObjectOrArray(value) && depth < MAX_DEPTH)
    for (const member of Object.values(value)) yield* textsIn(member, depth + 1)
}
