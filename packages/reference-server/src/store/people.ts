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
  protected userTable = new Table<User>()
  protected workspaceTable = new Table<Workspace>()
  protected memberships = new OrderedMap<MembershipKey, Membership>(
    (a, b) => a.workspaceId - b.workspaceId || a.userId - b.userId,
  )

  nextUserId(): number {
    return this.userTable.nextId()
  }

  nextWorkspaceId(): number {
    return this.workspaceTable.nextId()
  }

  user(id: number): User | undefined {
    return this.userTable.get(id)
  }

  users(): User[] {
    return this.userTable.all()
  }

  putUser(user: User): void {
    this.userTable.put(user)
  }

  workspace(id: number): Workspace | undefined {
    return this.workspaceTable.get(id)
  }

  workspaces(): Workspace[] {
    return this.workspaceTable.all()
  }

  putWorkspace(workspace: Workspace): void {
    this.workspaceTable.put(workspace)
  }

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
      users: this.users(),
      workspaces: this.workspaces(),
      memberships: [...this.memberships.values()],
      lastUserId: this.userTable.lastId,
      lastWorkspaceId: this.workspaceTable.lastId,
    }
  }

  load({ users, workspaces, memberships, lastUserId, lastWorkspaceId }: PeopleDump): this {
    this.userTable.putAll(users, lastUserId)
    this.workspaceTable.putAll(workspaces, lastWorkspaceId)
    for (const membership of memberships) this.putMembership(membership)
    return this
  }
}
