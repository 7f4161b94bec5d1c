import type { ClockState, Delivery, WaitSubject } from '@formwire/contract/control'
import { responseSchema } from '@formwire/contract/schemas'
import { deliverySchema, journalEntrySchema } from '@formwire/contract/schemas/control'
import * as z from 'zod'
import { Failure } from '../../failure.ts'
import { invalidArgument, suggestion, toolFailure } from '../failures.ts'
import type { Session } from '../session.ts'
import { defineTool, READ_ONLY } from '../tool.ts'
import { markStrangers, untrusted } from '../untrusted.ts'

/** Less than a tool may take. */
const TIMEOUT_MAX_MS = 20_000

/** Characters of the description of the closest. */
const NEAREST_MAX_CHARACTERS = 4_000

const SCHEMAS = { request: journalEntrySchema, delivery: deliverySchema, response: responseSchema }

/** Members of a delivery that no attempt changes. A match of others says which attempt is meant. */
const WITHOUT_ATTEMPT = ['id', 'event', 'response_id', 'payload', 'created_at', 'form_id', 'webhook_id']

/** Waits for a record. A delivery is one that was attempted, unless the match is about its attempts. */
async function found(
  { local, context }: Session,
  given: { for: WaitSubject; match?: object | undefined; timeout_ms: number },
  signal: AbortSignal,
): Promise<unknown> {
  const startedAt = context.runtime.clock.now()
  const record = await local.call('POST', '/wait', given, signal)
  const isAny = Object.keys(given.match ?? {}).every((name) => WITHOUT_ATTEMPT.includes(name))
  if (given.for !== 'delivery' || !isAny || !isUnattempted(record as Delivery)) return record
  const { id } = record as Delivery
  const timeout_ms = Math.max(0, given.timeout_ms - (context.runtime.clock.now() - startedAt))
  const wait = { for: 'delivery', match: { id, attempts: 1 }, timeout_ms }
  return await local.call('POST', '/wait', wait, signal).catch(async (error: unknown) => {
    // It was attempted more often meanwhile, or is not sent any more.
    const now = await local.call('POST', '/wait', { ...wait, match: { id }, timeout_ms: 0 }, signal)
    if (isUnattempted(now as Delivery)) throw error
    return now
  })
}

const isUnattempted = ({ attempts, status }: Delivery): boolean => attempts === 0 && status === 'pending'

/** @throws Failure `invalid_argument` for a member that nothing has: it would be waited for until the timeout */
function requireMembers(subject: WaitSubject, match: object = {}): void {
  const known = Object.keys(SCHEMAS[subject].shape)
  const unknown = Object.keys(match).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const hint = suggestion(unknown, known, `members of a ${subject}: ${known.join(', ')}`)
  throw invalidArgument('match', `a ${subject} has no member "${unknown}"`, hint)
}

export const wait = defineTool({
  name: 'wait',
  group: 'local',
  description:
    'Wait until the local server has an API request, a delivery that was attempted or a response that matches, also one from before. At the timeout, the closest are described.',
  input: z.strictObject({
    for: z.enum(['request', 'delivery', 'response']),
    match: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('members to compare, such as {"status": "delivered"}'),
    timeout_ms: z.int().min(0).max(TIMEOUT_MAX_MS).default(5000),
  }),
  annotations: READ_ONLY,
  async run(session, given, { mcpReq }) {
    const { local } = session
    requireMembers(given.for, given.match)
    try {
      return markStrangers(await found(session, given, mcpReq.signal))
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'timeout')) throw error
      const { mode } = await local.call<ClockState>('GET', '/clock')
      const hint = mode === 'manual' ? 'the clock is manual: advance it with the tool clock' : undefined
      const nearest = untrusted(String(error.details?.nearest), NEAREST_MAX_CHARACTERS)
      const message = `no ${given.for} matched within ${given.timeout_ms} ms`
      throw toolFailure(error.code, message, hint, { details: { nearest } })
    }
  },
})
