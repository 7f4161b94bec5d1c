import { isObject } from '@formwire/internal/json'
import type { ResponseIds } from '../store/person-rows.ts'

/** What is searched: the email address of a person, or responses whose copies may lack it. */
export interface PersonSearch {
  email?: string | undefined
  /** Found if they still have content; their only column is `id`. @default none */
  responses?: readonly ResponseIds[] | undefined
  /** Ids of the forms to search. @default all forms */
  forms?: readonly string[] | undefined
  /** Id of the workspace to search. @default all workspaces */
  workspaceId?: string | undefined
}

/** Returns the columns of a response that was found by its id: it has the email address in none. */
export const BY_ID: readonly string[] = ['id']

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
