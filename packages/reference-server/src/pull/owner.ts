import { isSeedEmail } from '../seed/parse.ts'
import type { PulledOwner, Unknown } from './lines.ts'
import { isId } from './shapes.ts'

/** Stands for an email address of the key's user that a seed cannot have. */
const UNKNOWN_EMAIL = 'user@example.com'

/** Returns the user and the workspace of the key as a seed can have them, and what was changed for that. */
export function loadableOwner({ user, workspace }: PulledOwner): { owner: PulledOwner; unknown: Unknown[] } {
  const unknown: Unknown[] = []
  const usable = <Value>(id: string, value: Value, isUsable: boolean, otherwise: Value): Value => {
    if (!isUsable) unknown.push({ id, why: 'changed' })
    return isUsable ? value : otherwise
  }
  const email = usable('user.email', user.email, isSeedEmail(user.email), UNKNOWN_EMAIL)
  return {
    owner: {
      user: {
        id: usable('user.id', user.id, isId(user.id), 1),
        name: usable('user.name', user.name, user.name !== '', 'User'),
        email,
      },
      workspace: {
        ...workspace,
        id: usable('workspace.id', workspace.id, isId(workspace.id), 1),
        name: usable('workspace.name', workspace.name, workspace.name !== '', 'Workspace'),
        members: workspace.members.map((member) => ({ ...member, user: email })),
      },
    },
    unknown,
  }
}
