import { OrderedMap } from '../collections/ordered-map.ts'
import type { Membership, User, Workspace } from '../domain/person.ts'
import { Forkable, Table } from './table.ts'

export interface PeopleDump {
  readonly users: readonly User[]
  readonly workspaces: readonly Workspace[]
  readonly memberships: readonly Membership[]
  readonly lastUserId: number
  readonly lastWorkspaceId: number
}

type MembershipKey = Pick<Membership, 'workspaceId' | 'userId'>

/** Users, workspaces and memberships. */
export class PeopleTable extends Forkable {
  readonly users = new Table<User>()
  readonly workspaces = new Table<Workspace>()
  protected memberships = new OrderedMap<MembershipKey, Membership>(
    (a, b) => a.workspaceId - b.workspaceId || a.userId - b.userId,
  )

  membership(workspaceId: number, userId: number): Membership | undefined {
    return this.memberships.get({ workspaceId, userId })
  }

  /** Returns the members of a workspace by user id. */
  membersOf(workspaceId: number): Membership[] {
    const from = this.memberships.rank({ workspaceId, userId: 0 })
    const to = this.memberships.rank({ workspaceId: workspaceId + 1, userId: 0 })
    return this.memberships.slice(from, to - from)
  }

  putMembership(membership: Membership): void {
    this.memberships.set(membership, membership)
  }

  /** Returns whether the membership existed. */
  removeMembership(workspaceId: number, userId: number): boolean {
    return this.memberships.delete({ workspaceId, userId }) !== undefined
  }

  dump(): PeopleDump {
    return {
      users: this.users.all(),
      workspaces: this.workspaces.all(),
      memberships: [...this.memberships.values()],
      lastUserId: this.users.lastId,
      lastWorkspaceId: this.workspaces.lastId,
    }
  }

  load({ users, workspaces, memberships, lastUserId, lastWorkspaceId }: PeopleDump): this {
    this.users.putAll(users, lastUserId)
    this.workspaces.putAll(workspaces, lastWorkspaceId)
    for (const membership of memberships) this.putMembership(membership)
    return this
  }
}
