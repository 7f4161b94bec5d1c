import type { KeyScope } from '@formwire/contract'

/** What a workspace pays for. API reads and writes are granted apart (AUTH-11). */
export interface Plan {
  readonly apiRead: boolean
  readonly apiWrite: boolean
  /** Webhook endpoints of all forms of the workspace together (HOOK-09). */
  readonly webhooksPerWorkspace: number
}

export const PLANS = {
  free: { apiRead: false, apiWrite: false, webhooksPerWorkspace: 0 },
  starter: { apiRead: true, apiWrite: false, webhooksPerWorkspace: 20 },
  business: { apiRead: true, apiWrite: true, webhooksPerWorkspace: Number.POSITIVE_INFINITY },
} as const satisfies Record<string, Plan>

export type PlanName = keyof typeof PLANS

export const PLAN_NAMES = Object.keys(PLANS) as PlanName[]

/** Whether the plan lets a request of this kind through (AUTH-11). */
export function planAllows(plan: PlanName, access: KeyScope): boolean {
  return access === 'read' ? PLANS[plan].apiRead : PLANS[plan].apiWrite
}
