import { KEY_SCOPES, type KeyScope } from '@formwire/contract'
import type { Context } from '../context.ts'
import { type ApiKey, generateKey, hashKey, prefixOf } from '../domain/key.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import { invalid, notFound, ServiceError } from '../http/errors.ts'
import { roleMayCreateKey } from '../policy/role.ts'
import { readName, readPositive, readWord } from './input.ts'

export interface KeyView {
  id: number
  name: string
  prefix: string
  scope: KeyScope
  workspace_id: number
  user_id: number
  created_at: string
  /** `null` while active. */
  revoked_at: string | null
}

/** The answer of a creation: the only time that the key itself is shown (AUTH-06). */
export interface CreatedKey extends KeyView {
  key: string
}

export interface NewKey {
  name: string
  scope: KeyScope
  /** @default the workspace of the first line */
  workspace_id?: number
  /** @default the user of the first line */
  user_id?: number
}

/** Who acts when nobody is named: the workspace and user of the server's first line. */
export interface Actor {
  readonly workspaceId: number
  readonly userId: number
}

/** API keys, as the account's API keys page handles them. */
export function createKeys(context: Context, actor: () => Actor) {
  return {
    /** Makes a key for a member (AUTH-05, AUTH-08). Throws 422 for a viewer's write key and for one key too many. */
    create(input: NewKey): CreatedKey {
      const name = readName(input.name, 'name')
      const scope = readWord(input.scope, 'scope', KEY_SCOPES)
      const workspaceId = readPositive(input.workspace_id ?? actor().workspaceId, 'workspace_id')
      const userId = readPositive(input.user_id ?? actor().userId, 'user_id')
      const { people } = context.state
      if (!people.workspace(workspaceId))
        throw invalid('workspace_id', `There is no workspace ${workspaceId}.`)
      if (!people.user(userId)) throw invalid('user_id', `There is no user ${userId}.`)
      const membership = people.membership(workspaceId, userId)
      if (!membership) throw invalid('user_id', `User ${userId} is no member of workspace ${workspaceId}.`)
      if (!roleMayCreateKey(membership.role, scope))
        throw invalid('scope', 'A viewer can create read keys only.')
      const max = context.settings.limits.activeKeys
      if (countActive(context, userId) >= max) {
        throw new ServiceError('validation_failed', `The user has ${max} active keys: revoke one first.`)
      }
      const key = generateKey(context.random)
      return { ...keyView(context, storeKey(context, { name, scope, workspaceId, userId, key })), key }
    },
    list: (): KeyView[] => Array.from(context.state.keys.all(), (key) => keyView(context, key)),
    /** Its next request is a 401 (AUTH-07). Revoking a revoked key changes nothing. */
    revoke(id: number): KeyView {
      if (!context.state.keys.get(id)) throw notFound()
      revokeKeys(context, (key) => key.id === id)
      return keyView(context, context.state.keys.get(id) as ApiKey)
    },
  }
}

/** Stores the hash of a key that was made up or comes from a seed. */
export function storeKey(
  { state, clock }: Pick<Context, 'state' | 'clock'>,
  facts: {
    name: string
    scope: KeyScope
    workspaceId: number
    userId: number
    key: string
    createdAt?: number
    revokedAt?: number | null
  },
): ApiKey {
  const record: ApiKey = {
    id: state.keys.nextId(),
    name: facts.name,
    prefix: prefixOf(facts.key),
    scope: facts.scope,
    hash: hashKey(facts.key),
    userId: facts.userId,
    workspaceId: facts.workspaceId,
    createdAt: facts.createdAt ?? clock.now(),
    revokedAt: facts.revokedAt ?? null,
  }
  state.keys.put(record)
  return record
}

/** Revokes the active keys that match. Returns how many there were. */
export function revokeKeys({ state, clock }: Context, matches: (key: ApiKey) => boolean): number {
  const revoked = [...state.keys.all()].filter((key) => key.revokedAt === null && matches(key))
  for (const key of revoked) state.keys.put({ ...key, revokedAt: clock.now() })
  return revoked.length
}

/** Active keys of a user, in whatever workspace (AUTH-08). */
export function countActive({ state }: Pick<Context, 'state'>, userId: number): number {
  let count = 0
  for (const key of state.keys.all()) if (key.userId === userId && key.revokedAt === null) count += 1
  return count
}

function keyView({ settings }: Context, key: ApiKey): KeyView {
  const { timestamps } = settings.unspecified
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scope: key.scope,
    workspace_id: key.workspaceId,
    user_id: key.userId,
    created_at: formatTimestamp(key.createdAt, timestamps),
    revoked_at: key.revokedAt === null ? null : formatTimestamp(key.revokedAt, timestamps),
  }
}
