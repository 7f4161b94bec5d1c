/** Returns the named fields of an object, null where it has none. `answer.ID` is the value of that answer of a response. */
export function pick(item: unknown, fields: readonly string[]): Record<string, unknown> {
  const object = (item ?? {}) as Record<string, unknown>
  return Object.fromEntries(fields.map((field) => [field, fieldOf(object, field) ?? null]))
}

function fieldOf(object: Record<string, unknown>, field: string): unknown {
  if (Object.hasOwn(object, field)) return object[field]
  return field.startsWith(ANSWER) ? answerOf(object, field)?.value : undefined
}

const ANSWER = 'answer.'

interface AnswerLike {
  question_id: string
  title: string
  text: string
  value: unknown
}

/** Returns the answer that `answer.ID` names. */
export function answerOf(response: object, field: string): AnswerLike | undefined {
  const { answers = [] } = response as { answers?: readonly AnswerLike[] }
  return answers.find(({ question_id: id }) => id === field.slice(ANSWER.length))
}
