import type { KeyScope, KnownWorkspaceRole } from '@formwire/contract'
import type { PlanName } from '@formwire/contract/control'

/** What a workspace pays for. API reads and writes are granted separately (AUTH-11). */
interface Plan {
  readonly apiRead: boolean
  readonly apiWrite: boolean
  /** Maximum number of webhook endpoints of all forms of the workspace together (HOOK-09). */
  readonly webhooksPerWorkspace: number
}

export const PLANS: Readonly<Record<PlanName, Plan>> = {
  free: { apiRead: false, apiWrite: false, webhooksPerWorkspace: 0 },
  starter: { apiRead: true, apiWrite: false, webhooksPerWorkspace: 20 },
  business: { apiRead: true, apiWrite: true, webhooksPerWorkspace: Number.POSITIVE_INFINITY },
}

export const PLAN_NAMES = Object.keys(PLANS) as PlanName[]

/** Whether the plan grants this access to the API (AUTH-11). */
export function planAllows(plan: PlanName, access: KeyScope): boolean {
  return access === 'read' ? PLANS[plan].apiRead : PLANS[plan].apiWrite
}

/** Returns the access that a route's method needs: GET reads, every other method writes (AUTH-03). HEAD uses the GET route. */
export function accessOf(method: string): KeyScope {
  return method === 'GET' ? 'read' : 'write'
}

/** Whether a key with this scope has this access. `write` includes `read` (AUTH-03). */
export function scopeAllows(scope: KeyScope, access: KeyScope): boolean {
  return scope === 'write' || access === 'read'
}

/** Whether a member with this role has this access through the API, whatever the key's scope (AUTH-04). */
export function roleAllows(role: KnownWorkspaceRole, access: KeyScope): boolean {
  return access === 'read' || role !== 'viewer'
}

/** Whether a member with this role may create a key of this scope (AUTH-05). */
export function roleMayCreateKey(role: KnownWorkspaceRole, scope: KeyScope): boolean {
  return roleAllows(role, scope)
}
