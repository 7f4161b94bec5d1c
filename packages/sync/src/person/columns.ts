import { isObject } from '@formwire/internal/json'

/**
 * Returns where a response has the email address of a person: `email`, and the ids of the questions that were answered with it. Letter
 * case and white space around it do not matter. The types of questions do not matter either: deployments name them differently (RESP-07).
 */
export function personColumns(email: string, response: { email?: unknown; answers?: unknown }): string[] {
  const wanted = comparable(email)
  const isPerson = (value: unknown): boolean => typeof value === 'string' && comparable(value) === wanted
  const { answers } = response
  return [
    ...(isPerson(response.email) ? ['email'] : []),
    ...(Array.isArray(answers) ? answers : [])
      .filter((answer) => isObject(answer) && isPerson(answer.value))
      .map(({ question_id: id }) => String(id)),
  ]
}

/** Returns an email address as it is compared. */
export const comparable = (text: string): string => text.trim().normalize('NFC').toLowerCase()
