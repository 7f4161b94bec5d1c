import { usage } from '../failure.ts'

/** The parts of a delivery that `--match` compares. */
interface Matchable {
  event: string | null
  payload: unknown
  body: string
}

/** Returns whether a delivery matches. */
export type Matcher = (delivery: Matchable) => boolean

const FIELDS = ['event', 'form', 'response', 'answer'] as const

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
  if (field === undefined) return ({ body }) => body.includes(text)
  switch (field) {
    case 'event':
      return ({ event }) => event === value
    case 'form':
      return ({ payload }) => (payload as EventLike | null)?.form?.id === value
    case 'response':
      return ({ payload }) => String((payload as EventLike | null)?.response?.id) === value
    case 'answer':
      if (question === undefined) break
      return ({ payload }) =>
        ((payload as EventLike | null)?.response?.answers ?? []).some(
          (answer) => answer.question_id === question && answer.text === value,
        )
  }
  throw usage(
    `unknown --match field: "${text}"`,
    `use ${FIELDS.join('=, ').replace('answer', 'answer.QUESTION')}=, or a text that the body contains`,
  )
}
