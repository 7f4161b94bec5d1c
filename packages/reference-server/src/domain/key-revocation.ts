import type { ApiKey } from './key.ts'

/** Whether a key is revoked when its user changes the password: every key of the user is (AUTH-09). */
export const isRevokedByPasswordChange = (key: ApiKey, userId: number): boolean => key.userId === userId

/** Whether a key is revoked when a user leaves a workspace: only the user's keys of that workspace are (AUTH-10). */
export const isRevokedByLeaving = (
  key: ApiKey,
  { workspaceId, userId }: Pick<ApiKey, 'workspaceId' | 'userId'>,
): boolean => key.userId === userId && key.workspaceId === workspaceId

/** The active keys that match, as they are once revoked: their next request gets 401 (AUTH-07). */
export function revoke(keys: Iterable<ApiKey>, matches: (key: ApiKey) => boolean, now: number): ApiKey[] {
  return [...keys]
    .filter((key) => key.revokedAt === null && matches(key))
    .map((key) => ({ ...key, revokedAt: now }))
}
