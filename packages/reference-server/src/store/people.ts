import { byNumber, OrderedMap } from '../collections/ordered-map.ts'
import type { Membership, User, Workspace } from '../domain/person.ts'

export interface PeopleDump {
  readonly users: readonly User[]
  readonly workspaces: readonly Workspace[]
  readonly memberships: readonly Membership[]
  readonly lastUserId: number
  readonly lastWorkspaceId: number
}

type MembershipKey = Pick<Membership, 'workspaceId' | 'userId'>

const byMembership = (a: MembershipKey, b: MembershipKey): number =>
  a.workspaceId - b.workspaceId || a.userId - b.userId

/** Users, workspaces and memberships. */
export class PeopleTable {
  #users = new OrderedMap<number, User>(byNumber)
  #workspaces = new OrderedMap<number, Workspace>(byNumber)
  #memberships = new OrderedMap<MembershipKey, Membership>(byMembership)
  #lastUserId = 0
  #lastWorkspaceId = 0

  nextUserId(): number {
    return ++this.#lastUserId
  }

  nextWorkspaceId(): number {
    return ++this.#lastWorkspaceId
  }

  user(id: number): User | undefined {
    return this.#users.get(id)
  }

  users(): IterableIterator<User> {
    return this.#users.values()
  }

  putUser(user: User): void {
    this.#users.set(user.id, user)
    this.#lastUserId = Math.max(this.#lastUserId, user.id)
  }

  workspace(id: number): Workspace | undefined {
    return this.#workspaces.get(id)
  }

  workspaces(): IterableIterator<Workspace> {
    return this.#workspaces.values()
  }

  putWorkspace(workspace: Workspace): void {
    this.#workspaces.set(workspace.id, workspace)
    this.#lastWorkspaceId = Math.max(this.#lastWorkspaceId, workspace.id)
  }

  membership(workspaceId: number, userId: number): Membership | undefined {
    return this.#memberships.get({ workspaceId, userId })
  }

  /** Returns the members of a workspace by user id. */
  membersOf(workspaceId: number): Membership[] {
    const from = this.#memberships.rank({ workspaceId, userId: 0 })
    const to = this.#memberships.rank({ workspaceId: workspaceId + 1, userId: 0 })
    return this.#memberships.slice(from, to - from)
  }

  putMembership(membership: Membership): void {
    this.#memberships.set({ workspaceId: membership.workspaceId, userId: membership.userId }, membership)
  }

  /** Returns whether the membership existed. */
  removeMembership(workspaceId: number, userId: number): boolean {
    return this.#memberships.delete({ workspaceId, userId }) !== undefined
  }

  fork(): PeopleTable {
    const copy = new PeopleTable()
    copy.#users = this.#users.clone()
    copy.#workspaces = this.#workspaces.clone()
    copy.#memberships = this.#memberships.clone()
    copy.#lastUserId = this.#lastUserId
    copy.#lastWorkspaceId = this.#lastWorkspaceId
    return copy
  }

  dump(): PeopleDump {
    return {
      users: [...this.#users.values()],
      workspaces: [...this.#workspaces.values()],
      memberships: [...this.#memberships.values()],
      lastUserId: this.#lastUserId,
      lastWorkspaceId: this.#lastWorkspaceId,
    }
  }

  static load(dump: PeopleDump): PeopleTable {
    const table = new PeopleTable()
    for (const user of dump.users) table.putUser(user)
    for (const workspace of dump.workspaces) table.putWorkspace(workspace)
    for (const membership of dump.memberships) table.putMembership(membership)
    table.#lastUserId = Math.max(table.#lastUserId, dump.lastUserId)
    table.#lastWorkspaceId = Math.max(table.#lastWorkspaceId, dump.lastWorkspaceId)
    return table
  }
}
