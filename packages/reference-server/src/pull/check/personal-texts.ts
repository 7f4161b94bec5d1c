import type { ChoiceValue } from '@formwire/contract'
import { isObject, isObjectOrArray } from '@formwire/internal/json'
import { isIrregular } from '../scrub/irregular.ts'
import { MAX_DEPTH } from '../scrub/pseudonyms.ts'
import { isPersonal, isTechnical } from '../scrub/scrubber.ts'

/** A response of a service. */
interface ResponseTexts {
  readonly email?: string | null | undefined
  readonly meta?: Readonly<Record<string, unknown>> | undefined
  readonly answers: readonly AnswerTexts[]
}

interface AnswerTexts {
  readonly question_id: string
  readonly value: unknown
  readonly text?: string | undefined
  readonly type?: string | undefined
}

/** A text, and where it is: the id of a question, `email`, or a member of `meta`. */
export interface PersonalText {
  readonly question: string
  readonly text: string
}

/** Yields every text of a response that scrubbing replaces. @param typeOf the name of a question's type */
export function* personalTexts(
  { email, meta = {}, answers }: ResponseTexts,
  typeOf: (answer: AnswerTexts) => string,
): Generator<PersonalText> {
  if (email) yield { question: 'email', text: email }
  for (const [name, value] of Object.entries(meta)) {
    if (isTechnical(name, value)) continue
    for (const text of textsIn(value)) yield { question: `meta.${name}`, text }
  }
  for (const answer of answers) {
    const { question_id: question, value, text } = answer
    const type = typeOf(answer)
    if (isPersonal(type) || isIrregular(type, value)) {
      for (const one of textsIn(value)) yield { question, text: one }
      if (typeof text === 'string' && typeof value !== 'string') yield { question, text }
    } else if (isObject(value) && typeof (value as Partial<ChoiceValue>).other === 'string')
      yield { question, text: (value as unknown as ChoiceValue).other ?? '' }
  }
}

function* textsIn(value: unknown, depth = 0): Generator<string> {
  if (typeof value === 'string') yield value
  else if (isObjectOrArray(value) && depth < MAX_DEPTH)
    for (const member of Object.values(value)) yield* textsIn(member, depth + 1)
}
