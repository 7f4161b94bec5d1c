import { usage } from '../failure.ts'

/** What `--match` looks at. */
interface Matchable {
  event: string | null
  payload: unknown
  body: string
}

/** Whether a delivery is one of those waited for. */
export type Matcher = (delivery: Matchable) => boolean

const FIELDS = ['event', 'form', 'response', 'answer'] as const

interface EventLike {
  form?: { id?: unknown }
  response?: { id?: unknown; answers?: { question_id?: unknown; text?: unknown }[] }
}

/**
 * `event=test.ping`, `form=ID`, `response=ID`, `answer.QUESTION=TEXT`, or any text that the body holds; several must all
 * hold. @throws Failure exit 2 for an unknown field
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
    `--match does not know "${text}"`,
    `it takes ${FIELDS.join('=, ').replace('answer', 'answer.QUESTION')}=, or a text that the body holds`,
  )
}
