import { nearestName } from '@formwire/internal/nearest-name'
import { EXIT } from '../exit.ts'
import { Failure, type FailureFacts } from '../failure.ts'

/** Returns the failure of a tool, which has no exit code of its own. */
export const toolFailure = (
  code: string,
  message: string,
  hint?: string,
  facts: Partial<FailureFacts> = {},
): Failure => new Failure(message, { exitCode: EXIT.failed, code, hint, ...facts })

/** Returns the failure of an argument of a tool. */
export const invalidArgument = (name: string, problem: string, hint?: string): Failure =>
  argumentFailure(name, `${name}: ${problem}`, hint)

/** Returns the failure of an argument of a tool, with the whole message. */
export const argumentFailure = (name: string, message: string, hint?: string): Failure =>
  toolFailure('invalid_argument', message, hint, { details: { argument: name } })

/** Returns a hint for an unknown name: the one that is probably meant, else `otherwise`. */
export function suggestion(name: string, known: readonly string[], otherwise: string): string {
  const nearest = nearestName(name, known)
  return nearest === undefined ? otherwise : `did you mean ${nearest}?`
}

/** What a path of the control API names. */
const PATH = /^\/(forms|deliveries|receivers|faults)\/([^/?]+)(?:\/(webhooks|responses)\/([^/?]+))?/

const NOUNS = {
  forms: 'form',
  deliveries: 'delivery',
  receivers: 'receiver',
  faults: 'fault',
  webhooks: 'webhook endpoint',
  responses: 'response',
} as const

type List = keyof typeof NOUNS

/** Ids that a hint lists. */
const IDS_MAX = 20

/**
 * Returns the failure of a 404 of the control API with what was not found, and the ids that exist.
 *
 * @param read Returns the list of a path
 */
export async function nameMissing(
  failure: Failure,
  path: string,
  read: (path: string) => Promise<unknown>,
): Promise<Failure> {
  const [, list, id, part, partId] = PATH.exec(path) ?? []
  if (list === undefined || id === undefined) return failure
  const ids = await idsOf(list === 'deliveries' ? '/catalog?include=deliveries' : `/${list}`, read)
  const parent = `${NOUNS[list as List]} ${decodeURIComponent(id)}`
  if (!ids.includes(decodeURIComponent(id))) return missing(parent, list as List, ids)
  if (part === undefined || partId === undefined) return failure
  const parts = await idsOf(`/forms/${id}/${part}`, read)
  if (parts.includes(partId)) return failure
  return missing(`${NOUNS[part as List]} ${partId} of ${parent}`, part as List, parts, 'the form')
}

async function idsOf(path: string, read: (path: string) => Promise<unknown>): Promise<string[]> {
  const found = (await read(path)) as { id: unknown }[] | { deliveries: { id: unknown }[] }
  return (Array.isArray(found) ? found : found.deliveries).map(({ id }) => String(id))
}

/** Returns the failure of an endpoint that no form of the local server has. */
export const missingEndpoint = (id: number, ids: string[]): Failure =>
  missing(`${NOUNS.webhooks} ${id}`, 'webhooks', ids)

function missing(name: string, list: List, ids: string[], owner = 'the local server'): Failure {
  const nouns = list === 'deliveries' ? list : `${NOUNS[list]}s`
  const more = ids.length > IDS_MAX ? `, and ${ids.length - IDS_MAX} more` : ''
  const hint =
    ids.length > 0
      ? `${nouns} of ${owner}: ${ids.slice(0, IDS_MAX).join(', ')}${more}`
      : `${owner} has no ${nouns}`
  return toolFailure('not_found', `${name} not found`, hint, { status: 404 })
}
