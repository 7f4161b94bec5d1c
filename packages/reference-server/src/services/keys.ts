import { KEY_SCOPES, type KeyScope } from '@formwire/contract'
import type { CreatedApiKey, ApiKey as KeyView } from '@formwire/contract/control'
import type { Context } from '../context.ts'
import { formatTimestamp } from '../domain/instant.ts'
import { type ApiKey, generateKey, hashKey, prefixOf } from '../domain/key.ts'
import { invalid, orNotFound, unprocessable } from '../domain/service-error.ts'
import { namesOf } from '../known-names.ts'
import type { Unspecified } from '../unspecified.ts'
import { readName, readPositive, readWord, refuseUnknownFields } from './input.ts'

export interface NewKey {
  name: string
  scope: KeyScope
  /** @default the server's own workspace */
  workspace_id?: number | undefined
  /** @default the server's own user */
  user_id?: number | undefined
}

const KEY_FIELDS = namesOf<NewKey>({ name: true, scope: true, workspace_id: true, user_id: true })

/** The workspace and user that apply when a request names none. */
export interface Actor {
  readonly workspaceId: number
  readonly userId: number
}

/** API keys: the actions of the account's API keys page. */
export function createKeys(context: Context, actor: () => Actor) {
  return {
    /** Creates a key for a member. Throws 422 for a viewer's write key (AUTH-05) and for an eleventh active key (AUTH-08). */
    create(input: NewKey): CreatedApiKey {
      refuseUnknownFields(input, KEY_FIELDS)
      const name = readName(input.name, 'name')
      const scope = readWord(input.scope, 'scope', KEY_SCOPES)
      const workspaceId = readPositive(input.workspace_id ?? actor().workspaceId, 'workspace_id')
      const userId = readPositive(input.user_id ?? actor().userId, 'user_id')
      const { people } = context.state
      if (!people.workspaces.get(workspaceId))
        throw invalid('workspace_id', `Workspace ${workspaceId} does not exist.`)
      if (!people.users.get(userId)) throw invalid('user_id', `User ${userId} does not exist.`)
      const membership = people.membership(workspaceId, userId)
      if (!membership) throw invalid('user_id', `User ${userId} is not a member of workspace ${workspaceId}.`)
      if (membership.role === 'viewer' && scope === 'write')
        throw invalid('scope', 'A viewer can create only read keys.')
      const { activeKeys } = context.settings.limits
      const { keyLimitPer } = context.settings.unspecified
      if (countActiveKeys(context.state.keys.all(), { workspaceId, userId }, keyLimitPer) >= activeKeys)
        throw unprocessable(`The ${keyLimitPer} already has ${activeKeys} active keys; revoke one first.`)
      const key = generateKey(context.random)
      return { ...keyView(context, storeKey(context, { name, scope, workspaceId, userId, key })), key }
    },
    list: (): KeyView[] => Array.from(context.state.keys.all(), (key) => keyView(context, key)),
    /** Revokes a key: its next request gets 401 (AUTH-07). Does nothing when it is revoked already. */
    revoke(id: number): KeyView {
      orNotFound(context.state.keys.get(id))
      revokeKeys(context, (key) => key.id === id)
      return keyView(context, context.state.keys.get(id) as ApiKey)
    },
  }
}

/**
 * Counts the active keys that share a limit with a new one (AUTH-08): the user's in every workspace, or all of the workspace. Keys
 * printed by earlier starts do not count: no user created them, and each start adds two.
 */
export const countActiveKeys = (
  keys: readonly ApiKey[],
  { workspaceId, userId }: Actor,
  limitPer: Unspecified['keyLimitPer'],
): number =>
  keys.filter((key) => {
    const shared = limitPer === 'workspace' ? key.workspaceId === workspaceId : key.userId === userId
    return shared && key.revokedAt === null && key.printed !== 'earlier'
  }).length

/** Stores the hash of a key, generated or from a seed (AUTH-06). */
export function storeKey(
  { state, clock }: Pick<Context, 'state' | 'clock'>,
  facts: Pick<ApiKey, 'name' | 'scope' | 'workspaceId' | 'userId'> &
    Partial<Pick<ApiKey, 'createdAt' | 'revokedAt' | 'printed'>> & { readonly key: string },
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
    ...(facts.printed && { printed: facts.printed }),
  }
  state.keys.put(record)
  return record
}

/** Revokes the active keys that match: their next request gets 401 (AUTH-07). Returns how many. */
export function revokeKeys({ state, clock }: Context, matches: (key: ApiKey) => boolean): number {
  const active = state.keys.all().filter((key) => key.revokedAt === null && matches(key))
  const revokedAt = clock.now()
  for (const key of active) state.keys.put({ ...key, revokedAt })
  return active.length
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
