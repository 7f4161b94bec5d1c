import { type KnownWorkspaceRole, WORKSPACE_ROLES } from '@formwire/contract'
import type { PlanName, User as UserView, Workspace as WorkspaceView } from '@formwire/contract/control'
import type { Context } from '../context.ts'
import { formatTimestamp } from '../domain/instant.ts'
import type { User, Workspace } from '../domain/person.ts'
import { invalid, notFound, orNotFound } from '../domain/service-error.ts'
import { PLAN_NAMES } from '../policy/plans.ts'
import { readName, readWord, refuseUnknownFields } from './input.ts'
import { revokeKeys } from './keys.ts'

/** Users, workspaces and memberships. */
export function createPeople(context: Context) {
  const workspaceView = (workspace: Workspace): WorkspaceView => ({
    id: workspace.id,
    name: workspace.name,
    plan: workspace.plan,
    created_at: formatTimestamp(workspace.createdAt, context.settings.unspecified.timestamps),
    members: context.state.people
      .membersOf(workspace.id)
      .map(({ userId, role }) => ({ user_id: userId, role })),
  })
  const userView = (user: User): UserView => {
    const { people } = context.state
    const workspaces: UserView['workspaces'] = []
    for (const { id } of people.workspaces.all()) {
      const membership = people.membership(id, user.id)
      if (membership) workspaces.push({ id, role: membership.role })
    }
    return { id: user.id, name: user.name, email: user.email, workspaces }
  }
  const findWorkspace = (id: number): Workspace => orNotFound(context.state.people.workspaces.get(id))
  const findUser = (id: number): User => orNotFound(context.state.people.users.get(id))

  return {
    workspaces: {
      /** Creates a workspace without members. @default plan 'business' */
      create(input: { name: string; plan?: PlanName | undefined }): WorkspaceView {
        refuseUnknownFields(input, ['name', 'plan'])
        const { name, plan = 'business' } = input
        const workspace: Workspace = {
          name: readName(name, 'name'),
          plan: readWord(plan, 'plan', PLAN_NAMES),
          id: context.state.people.workspaces.nextId(),
          createdAt: context.clock.now(),
        }
        context.state.people.workspaces.put(workspace)
        return workspaceView(workspace)
      },
      list: (): WorkspaceView[] => Array.from(context.state.people.workspaces.all(), workspaceView),
      get: (id: number): WorkspaceView => workspaceView(findWorkspace(id)),
      /** Changes the name or the plan. A new plan applies to the next request of each key (AUTH-11). */
      update(id: number, changes: { name?: string | undefined; plan?: PlanName | undefined }): WorkspaceView {
        const before = findWorkspace(id)
        refuseUnknownFields(changes, ['name', 'plan'])
        const workspace: Workspace = {
          ...before,
          ...(changes.name !== undefined && { name: readName(changes.name, 'name') }),
          ...(changes.plan !== undefined && { plan: readWord(changes.plan, 'plan', PLAN_NAMES) }),
        }
        context.state.people.workspaces.put(workspace)
        return workspaceView(workspace)
      },
    },
    users: {
      create(input: { name: string; email: string }): UserView {
        refuseUnknownFields(input, ['name', 'email'])
        const { name, email } = input
        const user: User = {
          name: readName(name, 'name'),
          email: readEmail(context, email),
          id: context.state.people.users.nextId(),
          passwordChangedAt: null,
        }
        context.state.people.users.put(user)
        return userView(user)
      },
      list: (): UserView[] => Array.from(context.state.people.users.all(), userView),
      get: (id: number): UserView => userView(findUser(id)),
      /** Changes the password, which revokes every key of the user in all workspaces (AUTH-09). */
      changePassword(id: number): { id: number; revoked_keys: number } {
        const user = findUser(id)
        context.state.people.users.put({ ...user, passwordChangedAt: context.clock.now() })
        return { id, revoked_keys: revokeKeys(context, (key) => key.userId === id) }
      },
    },
    members: {
      /** Adds a member or changes a member's role. A new role applies to the next request of each key (AUTH-04). */
      set(workspaceId: number, userId: number, role: KnownWorkspaceRole): WorkspaceView {
        const workspace = findWorkspace(workspaceId)
        findUser(userId)
        context.state.people.putMembership({
          workspaceId,
          userId,
          role: readWord(role, 'role', WORKSPACE_ROLES),
        })
        return workspaceView(workspace)
      },
      /** Removes a member, which revokes the user's keys of this workspace and no others (AUTH-10). */
      remove(
        workspaceId: number,
        userId: number,
      ): { workspace_id: number; user_id: number; deleted: true; revoked_keys: number } {
        if (!context.state.people.removeMembership(workspaceId, userId)) throw notFound()
        const revoked = revokeKeys(context, (key) => key.userId === userId && key.workspaceId === workspaceId)
        return { workspace_id: workspaceId, user_id: userId, deleted: true, revoked_keys: revoked }
      },
    },
  }
}

function readEmail({ state }: Context, value: unknown): string {
  if (typeof value !== 'string' || value.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(value))
    throw invalid('email', 'email must be an email address.')
  for (const user of state.people.users.all()) {
    if (user.email.toLowerCase() === value.toLowerCase())
      throw invalid('email', 'Another user has this email address.')
  }
  return value
}
