import type { FormResponse } from '@formwire/contract'
import type {
  ClockState,
  Delivery,
  DeliveryDetail,
  FormEndpoint,
  ReceiverDelivery,
} from '@formwire/contract/control'
import type { SleepClock } from '@formwire/internal/clock'
import * as z from 'zod'
import { outlasts } from '../../interrupt.ts'
import { explainDelivery, explainNothing, isSignedWith } from '../explain/explain-delivery.ts'
import type { LocalServer } from '../local-server.ts'
import { defineTool, nextTurn, READ_ONLY } from '../tool.ts'

export const explain = defineTool({
  name: 'explain',
  group: 'local',
  description:
    'Explain a webhook delivery of the local server: what failed, why, the evidence, and what to change. Also why none was sent.',
  input: z.strictObject({
    delivery: z.string().min(1).max(60).optional().describe('id; default the newest that failed'),
  }),
  annotations: READ_ONLY,
  async run({ local, context }, { delivery: id }, call) {
    await attemptsInFlight(local, context.runtime.clock, call.mcpReq.signal)
    const parts = await local.catalog('endpoints', 'receivers', 'clock', 'deliveries')
    const { endpoints, receivers, clock, deliveries } = parts
    const now = context.runtime.clock.now()
    const chosen = id ?? newestProblem(deliveries)
    if (chosen === undefined)
      return explainNothing(endpoints, deliveries, await notSent(local, parts, call.mcpReq.signal))
    const delivery = await detail(local, chosen)
    const endpoint = endpoints.find((one) => one.id === delivery.webhook_id)
    const receiver = receivers.find(({ url }) => endpoint?.url.startsWith(url))
    const secret = local.secrets.get(delivery.webhook_id)
    return explainDelivery(delivery, {
      endpoint,
      replay: replayOf(delivery, deliveries),
      clock,
      secret,
      acceptedBefore: await acceptedBefore(local, secret, delivery, deliveries),
      received: receiver && (await lastReceived(local, receiver.id, delivery)),
      realNow: clock.mode === 'manual' ? firstSeen(local, delivery, now) : now,
    })
  },
})

/** Longer than one attempt takes. */
const IN_FLIGHT_MAX_MS = 12_000

const detail = async (local: LocalServer, id: string): Promise<DeliveryDetail> =>
  await local.call<DeliveryDetail>('GET', `/deliveries/${encodeURIComponent(id)}`)

/** Resolves when the attempts that are in flight have ended. A real clock cannot tell: there, they are explained as pending. */
async function attemptsInFlight(local: LocalServer, time: SleepClock, signal: AbortSignal): Promise<void> {
  const { clock } = await local.catalog('clock')
  if (clock.mode !== 'manual') return
  const ended = local.call('POST', '/clock/advance', { by: 0 }, signal)
  // An advance that a receiver holds up may take longer than a tool.
  if (!(await outlasts(ended, IN_FLIGHT_MAX_MS, time))) await ended
}

/** Returns when the last attempt of a delivery was first seen, which is as near to its real time as is known. */
function firstSeen({ seen }: LocalServer, { id, attempts }: DeliveryDetail, now: number): number {
  const key = `${id} ${attempts.length} ${attempts.at(-1)?.signature}`
  const first = seen.get(key) ?? now
  seen.set(key, first)
  return first
}

/** Returns the newest delivery with which the same response was sent again to the same endpoint. The log is newest first. */
function replayOf(
  delivery: Pick<Delivery, 'id' | 'webhook_id' | 'response_id' | 'event'>,
  deliveries: readonly Delivery[],
): Delivery | undefined {
  const at = deliveries.findIndex(({ id }) => id === delivery.id)
  const same = ['webhook_id', 'response_id', 'event'] as const
  return deliveries
    .slice(0, Math.max(0, at))
    .find((one) => same.every((name) => one[name] === delivery[name]))
}

/** Returns the id of the newest delivery that failed or whose last attempt did, else of the newest that is pending. One that a replay has delivered is no problem. */
function newestProblem(deliveries: readonly Delivery[]): string | undefined {
  const problem = deliveries.find(
    (one) =>
      (one.status === 'failed' || one.error !== null) && replayOf(one, deliveries)?.status !== 'delivered',
  )
  return (problem ?? deliveries.find(({ status }) => status === 'pending'))?.id
}

/** Returns the id of the last earlier delivery that the endpoint accepted, if it was signed with another secret than the current one. */
async function acceptedBefore(
  local: LocalServer,
  secret: string | undefined,
  { id, webhook_id: endpoint }: DeliveryDetail,
  deliveries: readonly Delivery[],
): Promise<string | undefined> {
  const log = deliveries.filter((one) => one.webhook_id === endpoint)
  const at = log.findIndex((one) => one.id === id)
  const accepted = log.find(({ status }, index) => at >= 0 && index > at && status === 'delivered')
  if (secret === undefined || accepted === undefined) return undefined
  const delivery = await detail(local, accepted.id)
  const last = delivery.attempts.at(-1)
  return last && !isSignedWith(secret, delivery, last) ? accepted.id : undefined
}

/** Days for which deliveries are kept (DLV-09). */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** Returns how many responses are never sent to each endpoint. For one that is active, looks at the newest 100 responses of its form. */
async function notSent(
  local: LocalServer,
  { endpoints, clock }: { endpoints: readonly FormEndpoint[]; clock: ClockState },
  signal: AbortSignal,
): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  for (const { id, form_id: form, active, created_at: added, health } of endpoints) {
    await nextTurn(signal)
    if (!active) {
      counts.set(id, health.not_sent)
      continue
    }
    const path = `/forms/${encodeURIComponent(form)}/responses`
    const found = await local.call<FormResponse[]>('GET', `${path}?status=submitted&per_page=100`)
    const oldest = Math.max(Date.parse(added), Date.parse(clock.now) - KEPT_MS)
    let count = 0
    for (const response of found.filter(({ submitted_at: at }) => Date.parse(at ?? '') >= oldest)) {
      const sent = await local.call<Delivery[]>('GET', `${path}/${response.id}/deliveries`)
      if (!sent.some(({ webhook_id }) => webhook_id === id)) count += 1
    }
    counts.set(id, count)
  }
  return counts
}

/** Returns what a mock receiver has recorded of the last attempt of a delivery. */
async function lastReceived(
  local: LocalServer,
  receiver: number,
  { id, attempts }: DeliveryDetail,
): Promise<ReceiverDelivery | undefined> {
  const all = await local.call<ReceiverDelivery[]>('GET', `/receivers/${receiver}/deliveries`)
  const signature = attempts.at(-1)?.signature
  // A replay at the same time has the same signature.
  return all.findLast(
    ({ delivery_id, headers }) => delivery_id === id && headers['x-service-signature'] === signature,
  )
}
