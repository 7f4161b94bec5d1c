import type { KeyScope } from '@formwire/contract'
import type { Context } from '../context.ts'
import { generateKey, hashKey } from '../domain/key.ts'
import { unprocessable } from '../domain/service-error.ts'
import type { State } from '../store/state.ts'
import { type Actor, storeKey } from './keys.ts'

/** The two keys that the server prints at startup, and their workspace and user. */
export interface BootstrapCredentials {
  readonly writeKey: string
  readonly readKey: string
  readonly workspaceId: number
  readonly userId: number
}

type KeyTarget = Pick<Context, 'state' | 'clock' | 'random'>

/** Creates a key that the server prints at startup. */
export function createPrintedKey(target: KeyTarget, owner: Actor & { readonly scope: KeyScope }): string {
  let key = generateKey(target.random)
  // A seeded random source may repeat a key of the state that was loaded.
  while (target.state.keys.byHash(hashKey(key))) key = generateKey(target.random)
  storeKey(target, {
    ...owner,
    name: owner.scope === 'write' ? 'Write key' : 'Read key',
    key,
    printed: 'current',
  })
  return key
}

/** Marks a key of a seed as one that the server prints at startup. */
export function markAsPrinted({ state }: Pick<Context, 'state'>, key: string): void {
  const record = state.keys.byHash(hashKey(key))
  if (record) state.keys.put({ ...record, printed: 'current' })
}

/**
 * Creates the printed keys for a state that was loaded from a snapshot, which has only the hashes of its keys. They belong
 * to the owner of the keys printed before, or, if that user may no longer write, to the first owner or editor of the
 * first workspace that has one. Keys printed before keep working and no longer count towards the limit (AUTH-08).
 * @throws ServiceError for a state without an owner or editor.
 */
export function printKeys(context: KeyTarget): BootstrapCredentials {
  const { keys } = context.state
  const { workspaceId, userId } = requireWriter(context.state)
  for (const key of [...keys.all()]) if (key.printed) keys.put({ ...key, printed: 'earlier' })
  const create = (scope: KeyScope): string => createPrintedKey(context, { scope, workspaceId, userId })
  return { writeKey: create('write'), readKey: create('read'), workspaceId, userId }
}

/** Returns whom the printed keys of a loaded state belong to. @throws ServiceError for a state without an owner or editor. */
export function requireWriter({ people, keys }: State): Actor {
  const mayWrite = ({ workspaceId, userId }: Actor): boolean => {
    const role = people.membership(workspaceId, userId)?.role
    return role === 'owner' || role === 'editor'
  }
  const before = [...keys.all()].reverse().find((key) => key.printed !== undefined && mayWrite(key))
  if (before) return before
  for (const { id: workspaceId } of people.workspaces.all()) {
    const members = people.membersOf(workspaceId)
    for (const role of ['owner', 'editor'] as const) {
      const member = members.find((one) => one.role === role)
      if (member) return { workspaceId, userId: member.userId }
    }
  }
  throw unprocessable('The snapshot has no workspace with an owner or an editor, so no keys can be issued.')
}
