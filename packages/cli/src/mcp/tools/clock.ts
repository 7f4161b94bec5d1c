import { LIMITS } from '@formwire/contract'
import type { ClockState, Delivery } from '@formwire/contract/control'
import * as z from 'zod'
import { Failure } from '../../failure.ts'
import { toolFailure } from '../failures.ts'
import { defineTool } from '../tool.ts'

const GOES_ON = {
  code: 'timeout',
  message:
    'receivers hold up the clock, which goes on to where it was told to: each attempt takes up to 10 s',
  hint: 'call the tool clock again later, without advance or with 0s',
}

const IS_REAL =
  'A real clock cannot be advanced; stop it and start one with {"action": "start", "clock": "manual"}, tool server.'

const SPANS = 'such as 30s, 2h or 1h30m'

export const clock = defineTool({
  name: 'clock',
  group: 'local',
  description:
    'Read the clock of the local server, or advance a manual one. Retries, signatures and limits follow it; due deliveries are sent before it returns, and it counts their attempts.',
  input: z.strictObject({ advance: z.string().max(40).optional().describe(SPANS) }),
  async run({ local }, { advance }, { mcpReq }) {
    if (advance === undefined) return await local.call('GET', '/clock')
    const { deliveries } = await local.catalog('deliveries')
    const before = new Map(deliveries.map(({ id, attempts }) => [id, attempts]))
    const moved = await local.call('POST', '/clock/advance', { by: advance }, mcpReq.signal).catch(refused)
    const state = moved ?? { ...(await local.call<ClockState>('GET', '/clock')), incomplete: GOES_ON }
    const { deliveries: after } = await local.catalog('deliveries')
    return { ...(state as ClockState), ...attemptsSince(before, after) }

    async function refused(error: unknown): Promise<undefined> {
      if (mcpReq.signal.aborted) return
      if (!(error instanceof Failure && error.details?.field === 'by')) throw error
      const { mode } = await local.call<ClockState>('GET', '/clock')
      const { code, status } = error
      const message = mode === 'real' ? IS_REAL : error.message
      const hint = `advance takes a number with a unit, ${SPANS}`
      throw toolFailure(code, message, hint, { status, details: { argument: 'advance' } })
    }
  },
})

/** Returns how many attempts have ended since `before`, which has their numbers by delivery, and with which outcome. */
function attemptsSince(before: ReadonlyMap<string, number>, deliveries: readonly Delivery[]) {
  const outcomes = deliveries.flatMap(({ id, attempts, earlier_errors, error }) =>
    [...earlier_errors, error].slice(before.get(id) ?? 0, attempts),
  )
  const delivered = outcomes.filter((error) => error === null).length
  const attempts = { delivered, failed: outcomes.length - delivered }
  const perEndpoint = new Map<number, number>()
  for (const { webhook_id: id } of deliveries) perEndpoint.set(id, (perEndpoint.get(id) ?? 0) + 1)
  const isCut = [...perEndpoint.values()].some((count) => count >= LIMITS.deliveryLogEntries)
  return isCut
    ? { attempts, attempts_note: `of the latest ${LIMITS.deliveryLogEntries} deliveries of each endpoint` }
    : { attempts }
}
