import type { ApiKey } from '../domain/key.ts'
import { accepted, type Result, refused } from '../domain/result.ts'
import type { Unspecified } from '../unspecified.ts'

/** The member for whom a key is created. */
type KeyOwner = Pick<ApiKey, 'workspaceId' | 'userId'>

/**
 * Counts the active keys that share a limit with a new one: the user's in every workspace, or all of the workspace. Keys
 * printed by earlier starts do not count: no user created them, and each start adds two.
 */
export function countActiveKeys(
  keys: Iterable<ApiKey>,
  { workspaceId, userId }: KeyOwner,
  limitPer: Unspecified['keyLimitPer'],
): number {
  let count = 0
  for (const key of keys) {
    const shared = limitPer === 'workspace' ? key.workspaceId === workspaceId : key.userId === userId
    if (shared && key.revokedAt === null && key.printed !== 'earlier') count += 1
  }
  return count
}

/** Whether one more key may be created: at most ten are active (AUTH-08). */
export function checkKeyLimit(
  keys: Iterable<ApiKey>,
  owner: KeyOwner,
  { max, limitPer }: { readonly max: number; readonly limitPer: Unspecified['keyLimitPer'] },
): Result<undefined> {
  if (countActiveKeys(keys, owner, limitPer) < max) return accepted(undefined)
  return refused({ message: `The ${limitPer} already has ${max} active keys; revoke one first.` })
}
