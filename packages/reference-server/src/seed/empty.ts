import type { Seed } from './format.ts'

/** Returns the smallest usable seed: one workspace, its owner, a write key and a read key. */
export function emptySeed(): Seed {
  const user = 'owner@example.com'
  return {
    version: 1,
    users: [{ name: 'Olive Owner', email: user }],
    workspaces: [
      {
        name: 'Workspace',
        plan: 'business',
        members: [{ user, role: 'owner' }],
        keys: [
          { name: 'Write key', scope: 'write', user },
          { name: 'Read key', scope: 'read', user },
        ],
      },
    ],
  }
}
