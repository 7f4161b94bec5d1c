import type { PlanName } from '@formwire/contract/control'

/** What a workspace pays for. API reads and writes are granted separately (AUTH-11). */
interface Plan {
  readonly read: boolean
  readonly write: boolean
  /** Maximum number of webhook endpoints of all forms of the workspace together (HOOK-09). */
  readonly webhooksPerWorkspace: number
}

export const PLANS: Readonly<Record<PlanName, Plan>> = {
  free: { read: false, write: false, webhooksPerWorkspace: 0 },
  starter: { read: true, write: false, webhooksPerWorkspace: 20 },
  business: { read: true, write: true, webhooksPerWorkspace: Number.POSITIVE_INFINITY },
}

export const PLAN_NAMES = Object.keys(PLANS) as PlanName[]
