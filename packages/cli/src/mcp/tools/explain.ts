import type { Catalog, Delivery, DeliveryDetail, ReceiverDelivery } from '@formwire/contract/control'
import * as z from 'zod'
import { explainDelivery } from '../explain/explain-delivery.ts'
import { explainNothing } from '../explain/explain-nothing.ts'
import type { LocalServer } from '../local-server.ts'
import { defineTool, READ_ONLY } from '../tool.ts'

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
    await attemptsInFlight(local, call.mcpReq.signal)
    const chosen = id ?? newestProblem((await catalog(local, 'deliveries')).deliveries)
    if (chosen === undefined) {
      const { endpoints, deliveries } = await catalog(local, 'endpoints', 'deliveries')
      return explainNothing(endpoints, deliveries)
    }
    const delivery = (await local.call('GET', `/deliveries/${encodeURIComponent(chosen)}`)) as DeliveryDetail
    const { endpoints, receivers, clock } = await catalog(local, 'endpoints', 'receivers', 'clock')
    const endpoint = endpoints.find((one) => one.id === delivery.webhook_id)
    const receiver = receivers.find(({ url }) => endpoint?.url.startsWith(url))
    return explainDelivery(delivery, {
      endpoint,
      clock,
      secret: local.secrets.get(delivery.webhook_id),
      received: receiver && (await lastReceived(local, receiver.id, delivery)),
      realNow: context.runtime.clock.now(),
    })
  },
})

async function catalog<Part extends keyof Catalog>(
  local: LocalServer,
  ...parts: Part[]
): Promise<Required<Pick<Catalog, Part>>> {
  return (await local.call('GET', `/catalog?include=${parts.join()}`)) as Required<Pick<Catalog, Part>>
}

/** Resolves when the attempts that are in flight have ended. A real clock cannot tell: there, they are explained as pending. */
async function attemptsInFlight(local: LocalServer, signal: AbortSignal): Promise<void> {
  const { clock } = await catalog(local, 'clock')
  if (clock.mode === 'manual') await local.call('POST', '/clock/advance', { by: 0 }, signal)
}

/** Returns the id of the newest delivery that failed or whose last attempt did, else of the newest that is pending. */
function newestProblem(deliveries: readonly Delivery[]): string | undefined {
  // Each log is newest first.
  const newest = deliveries.toSorted(
    (one, other) => Date.parse(other.created_at) - Date.parse(one.created_at),
  )
  const problem = newest.find(({ status, error }) => status === 'failed' || error !== null)
  return (problem ?? newest.find(({ status }) => status === 'pending'))?.id
}

/** Returns what a mock receiver has recorded of the last attempt of a delivery. */
async function lastReceived(
  local: LocalServer,
  receiver: number,
  { attempts }: DeliveryDetail,
): Promise<ReceiverDelivery | undefined> {
  const all = (await local.call('GET', `/receivers/${receiver}/deliveries`)) as ReceiverDelivery[]
  const signature = attempts.at(-1)?.signature
  return all.findLast(({ headers }) => headers['x-service-signature'] === signature)
}
