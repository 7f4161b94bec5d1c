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
 * Checks that no two workspaces of different services have the same id in one schema, where each would overwrite the rows of the other. Asks
 * the services only if a schema has workspaces of several of them.
 *
 * @param schema returns the schema of workspaces that name none. @throws StoreError `other_workspace`. @throws OtherServiceError
 */
export async function checkServices(owners: readonly Owner[], schema: () => Promise<string>): Promise<void> {
  const services = (found: readonly Owner[]): number => new Set(found.map(({ baseUrl }) => baseUrl)).size
  if (services(owners) < 2) return
  const own = await schema()
  const seen = new Map<string, Owner[]>()
  for (const owner of owners) {
    const isShared = ({ schema = own }: Owner): boolean => schema === (owner.schema ?? own)
    if (services(owners.filter(isShared)) < 2) continue
    const id = await workspaceIdOf(owner)
    if (id === undefined) continue
    const key = JSON.stringify([owner.schema ?? own, id])
    const other = seen.get(key)?.find(({ baseUrl }) => baseUrl !== owner.baseUrl)
    if (other) throw conflict(id, other, owner)
    seen.set(key, [...(seen.get(key) ?? []), owner])
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
