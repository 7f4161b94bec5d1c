import { expect, it } from 'vitest'
import { byTier } from '../../../../test/support/cases.ts'
import { resolveUnspecified } from '../../src/options.ts'
import { against, all, broken, UNLIMITED } from './deployment.ts'

const SEEDS = Array.from({ length: byTier(8, 16) }, (_, index) => index)

it.each(SEEDS)(
  'runConformance observes the unspecified behaviour of a deployment with random:%i',
  async (seed) => {
    const unspecified = `random:${seed}` as const
    const found = await against({ unspecified, limits: UNLIMITED }, all)
    expect(broken(found), unspecified).toEqual([])
    const drawn: Record<string, string> = { ...resolveUnspecified(unspecified) }
    // extraFields adds unknown fields to the endpoint list and to error details too.
    if (drawn.extraFields === 'true') {
      drawn.webhookListExtras = 'true'
      if (drawn.errorDetails === 'field') drawn.errorDetails = 'extra'
    }
    expect(found.report.profile, unspecified).toEqual(
      Object.fromEntries(Object.keys(found.report.profile).map((key) => [key, drawn[key]])),
    )
    expect(Object.keys(found.report.profile).length, unspecified).toBeGreaterThanOrEqual(17)
  },
)
