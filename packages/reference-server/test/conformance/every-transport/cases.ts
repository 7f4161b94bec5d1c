import { answerCases } from './answers.ts'
import { authenticationCases } from './authentication.ts'
import { bodyCases } from './bodies.ts'
import type { Case } from './case.ts'
import { deliveryCases } from './deliveries.ts'
import { envelopeCases } from './envelopes.ts'
import { formCases } from './forms.ts'
import { limitCases } from './limits.ts'
import { portableCases } from './portable.ts'
import { responseCases } from './responses.ts'
import { webhookCases } from './webhooks.ts'

/**
 * The table of conformance cases: the portable ones, then those that need the control API, a manual clock or a choice
 * of unspecified behaviour. Each runs over every transport (`every-transport.cases.test.ts`); `pnpm conformance` lists them.
 */
export const CASES: readonly Case[] = [
  ...portableCases,
  ...envelopeCases,
  ...authenticationCases,
  ...limitCases,
  ...formCases,
  ...responseCases,
  ...answerCases,
  ...webhookCases,
  ...deliveryCases,
  ...bodyCases,
]
