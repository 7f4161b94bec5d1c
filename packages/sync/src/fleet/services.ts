import { type Formwire, isForbiddenError, isUnauthorizedError } from '@formwire/sdk'
import { StoreError } from '../errors.ts'

/** What decides whose rows those of a workspace are. */
export interface Owner {
  readonly name: string
  readonly baseUrl: string | undefined
  readonly schema: string | undefined
  readonly clients: readonly Formwire[]
}

/**
 * Checks that no two workspaces of different services have the same id in a schema, where each would overwrite the rows of the other. Asks
 * the services only if several of them share that schema.
 *
 * @param schema of the workspaces to check, if not that of those that name none @param own returns the latter
 * @throws StoreError `other_workspace`. @throws OtherServiceError
 */
export async function checkServices(
  owners: readonly Owner[],
  schema: string | undefined,
  own: () => Promise<string>,
): Promise<void> {
  const hasSeveral = (found: readonly Owner[]): boolean =>
    new Set(found.map(({ baseUrl }) => baseUrl)).size > 1
  if (!hasSeveral(owners)) return
  const unnamed = await own()
  const sharing = owners.filter((owner) => (owner.schema ?? unnamed) === (schema ?? unnamed))
  if (!hasSeveral(sharing)) return
  const seen = new Map<string, Owner[]>()
  for (const owner of sharing) {
    const id = await workspaceIdOf(owner)
    if (id === undefined) continue
    const others = seen.get(id) ?? []
    const other = others.find(({ baseUrl }) => baseUrl !== owner.baseUrl)
    if (other) throw conflict(id, other, owner)
    seen.set(id, [...others, owner])
  }
}

/** A service did not name the id of its workspace, so that it is not known whether it may share a schema with others. */
export class OtherServiceError extends Error {}

/** Returns the id of the workspace, or `undefined` if the service accepts none of its keys: it writes nothing. */
async function workspaceIdOf({ name, clients }: Owner): Promise<string | undefined> {
  for (const formwire of clients) {
    try {
      return String((await formwire.me()).workspace.id)
    } catch (error) {
      if (!isUnauthorizedError(error) && !isForbiddenError(error))
        throw new OtherServiceError(`The service of workspace "${name}" failed.`, { cause: error })
    }
  }
  return undefined
}

function conflict(id: string, ...owners: readonly Owner[]): StoreError {
  const [one, other] = owners.map(({ name, baseUrl }) => `${JSON.stringify(name)} (${baseUrl})`)
  return new StoreError(
    `The workspaces ${one} and ${other} of different services both have the id ${id} and would overwrite the rows of each other in one schema. Give one of them a "schema" of its own.`,
    'other_workspace',
  )
}
