/** Returns the named fields of an object, null where it has none. `answer.ID` is the value of that answer of a response. */
export function pick(item: unknown, fields: readonly string[]): Record<string, unknown> {
  const object = (item ?? {}) as Record<string, unknown>
  return Object.fromEntries(fields.map((field) => [field, fieldOf(object, field) ?? null]))
}

const ANSWER = 'answer.'

function fieldOf(object: Record<string, unknown>, field: string): unknown {
  if (Object.hasOwn(object, field)) return object[field]
  if (!field.startsWith(ANSWER)) return undefined
  const { answers = [] } = object as { answers?: readonly { question_id: string; value: unknown }[] }
  return answers.find(({ question_id: id }) => id === field.slice(ANSWER.length))?.value
}
