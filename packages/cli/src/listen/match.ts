import { usage } from '../failure.ts'

/** The parts of a delivery that `--match` compares. */
interface Matchable {
  event: string | null
  payload: unknown
  body: string
}

/** Returns whether a delivery matches. */
export type Matcher = (delivery: Matchable) => boolean

interface EventLike {
  form?: { id?: unknown }
  response?: { id?: unknown; answers?: { question_id?: unknown; text?: unknown }[] }
}

/**
 * Returns a matcher for `event=test.ping`, `form=ID`, `response=ID`, `answer.QUESTION=TEXT`, or a text that the body must
 * contain. Several texts must all match. @throws Failure exit 2 for an unknown field
 */
export function parseMatch(texts: readonly string[]): Matcher {
  const matchers = texts.map(one)
  return (delivery) => matchers.every((matches) => matches(delivery))
}

function one(text: string): Matcher {
  const [, field, question, value = ''] = /^([a-z]+)(?:\.([^=]+))?=(.*)$/s.exec(text) ?? []
  const partsOf = ({ payload }: Matchable): EventLike => (payload as EventLike | null) ?? {}
  if (field === undefined) return ({ body }) => body.includes(text)
  if (field === 'event') return ({ event }) => event === value
  if (field === 'form') return (delivery) => partsOf(delivery).form?.id === value
  if (field === 'response') return (delivery) => String(partsOf(delivery).response?.id) === value
  if (field === 'answer' && question !== undefined)
    return (delivery) =>
      (partsOf(delivery).response?.answers ?? []).some(
        (answer) => answer.question_id === question && answer.text === value,
      )
  throw usage(
    `unknown --match field: "${text}"`,
    'use event=, form=, response=, answer.QUESTION=, or a text that the body contains',
  )
}
