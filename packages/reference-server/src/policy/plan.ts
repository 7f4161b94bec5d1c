import type { KeyScope } from '@formwire/contract'
import { PLANS, type PlanName } from '../domain/plan.ts'

/** Whether the plan grants this access to the API (AUTH-11). */
export function planAllows(plan: PlanName, access: KeyScope): boolean {
  return access === 'read' ? PLANS[plan].apiRead : PLANS[plan].apiWrite
}
