import { answerCases } from './answers.case.ts'
import { authenticationCases } from './authentication.case.ts'
import { bodyCases } from './bodies.case.ts'
import type { Case } from './case.ts'
import { deliveryCases } from './deliveries.case.ts'
import { envelopeCases } from './envelopes.case.ts'
import { formCases } from './forms.case.ts'
import { limitCases } from './limits.case.ts'
import { responseCases } from './responses.case.ts'
import { webhookCases } from './webhooks.case.ts'

/** The table of conformance cases. Each runs over every door (`rest.test.ts`); `pnpm conformance` reads it too. */
export const CASES: readonly Case[] = [
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
