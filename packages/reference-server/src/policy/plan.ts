import type { KeyScope } from '@formwire/contract'
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
