import type { PlanName } from '@formwire/contract/control'
import { accepted, type Result, refused } from '../domain/result.ts'
import type { Unspecified } from '../unspecified.ts'
import { PLANS } from './role-scope-plan.ts'

/** The endpoints that exist already, and their limits. */
interface EndpointFacts {
  readonly ofForm: number
  readonly ofWorkspace: number
  /** Maximum number of endpoints of one form. */
  readonly perForm: number
  /** Plan of the workspace, which may limit the endpoints of all its forms together. */
  readonly plan: PlanName | undefined
  /** Status of the refusal when a form has too many. */
  readonly eleventhEndpoint: Unspecified['eleventhEndpoint']
}

/** Whether a form may have one more webhook endpoint: at most ten per form (HOOK-06), and what the plan allows (HOOK-09). */
export function checkEndpointLimit(facts: EndpointFacts): Result<undefined> {
  const { ofForm, ofWorkspace, perForm, plan, eleventhEndpoint } = facts
  if (ofForm >= perForm) {
    return refused({
      code: eleventhEndpoint === '403' ? 'forbidden' : 'validation_failed',
      message: `The form already has ${perForm} webhook endpoints; delete one first.`,
    })
  }
  const perWorkspace = plan === undefined ? 0 : PLANS[plan].webhooksPerWorkspace
  if (ofWorkspace >= perWorkspace) {
    return refused({ message: `The plan allows at most ${perWorkspace} webhook endpoints per workspace.` })
  }
  return accepted(undefined)
}
