import type { KnownWorkspaceRole } from '@formwire/contract'
import type { PlanName } from '@formwire/contract/control'

/** A person with an account. */
export interface User {
  readonly id: number
  readonly name: string
  readonly email: string
  /** Milliseconds since the epoch; `null` before the first change. */
  readonly passwordChangedAt: number | null
}

/** The owner of keys, forms and responses. */
export interface Workspace {
  readonly id: number
  readonly name: string
  readonly plan: PlanName
  readonly createdAt: number
}

/** A user's membership of a workspace. */
export interface Membership {
  readonly workspaceId: number
  readonly userId: number
  readonly role: KnownWorkspaceRole
}
