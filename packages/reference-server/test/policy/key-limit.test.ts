import { describe, expect, it } from 'vitest'
import type { ApiKey } from '../../src/domain/key.ts'
import { checkKeyLimit, countActiveKeys } from '../../src/policy/key-limit.ts'

function key(changes: Partial<ApiKey> = {}): ApiKey {
  return {
    id: 1,
    name: 'CI',
    prefix: 'svc_AAAAAA',
    scope: 'read',
    hash: '0'.repeat(64),
    userId: 1,
    workspaceId: 1,
    createdAt: 0,
    revokedAt: null,
    ...changes,
  }
}

const owner = { workspaceId: 1, userId: 1 }
const KEYS = [
  key(),
  key({ printed: 'current' }),
  key({ printed: 'earlier' }),
  key({ revokedAt: 5 }),
  key({ userId: 2 }),
  key({ workspaceId: 2 }),
  key({ userId: 2, workspaceId: 2 }),
]

describe('the limit of active keys', () => {
  it('[AUTH-08] counts the active keys of the user in every workspace, or all of the workspace', () => {
    expect(countActiveKeys(KEYS, owner, 'user')).toBe(3)
    expect(countActiveKeys(KEYS, owner, 'workspace')).toBe(3)
    expect(countActiveKeys(KEYS, { workspaceId: 2, userId: 1 }, 'workspace')).toBe(2)
    expect(countActiveKeys(KEYS, { workspaceId: 1, userId: 2 }, 'user')).toBe(2)
    expect(countActiveKeys([], owner, 'user')).toBe(0)
  })

  it('[AUTH-08] allows one more below the maximum only', () => {
    expect(checkKeyLimit(KEYS, owner, { max: 4, limitPer: 'user' })).toEqual({ ok: true, value: undefined })
    expect(checkKeyLimit(KEYS, owner, { max: 3, limitPer: 'user' })).toEqual({
      ok: false,
      refusal: { message: 'The user already has 3 active keys; revoke one first.' },
    })
  })
})
