import { deliveryFields, resultOf } from '../columns/deliveries.ts'
import type { Context } from '../context.ts'
import type { ControlClient } from '../control/client.ts'
import type { Delivery } from '../control/delivery.ts'
import type { Endpoints } from '../control/endpoints.ts'
import type { FollowEvent } from '../control/follow.ts'
import { safeIndented, safeLine } from '../output/text-safety.ts'
import { spanText, utcTime } from '../output/time.ts'
import type { LiveRow } from './live-model.ts'
import { mountLiveView } from './mount.ts'

/** Shows `deliveries tail` on a terminal: one row per delivery, updated with each attempt. */
export async function showDeliveryTail(
  context: Context,
  control: ControlClient,
  source: AsyncIterable<FollowEvent>,
  endpoints: Endpoints,
): Promise<void> {
  const { model, quit } = mountLiveView(context, 'deliveries', {
    replay: async (id) => `queued a copy as ${(await control.replay(id)).id}`,
    text: async (id) => {
      const { raw_body } = await control.delivery(id)
      return typeof raw_body === 'string' ? raw_body : undefined
    },
    details: async (id) => {
      const delivery = await control.delivery(id)
      const facts = deliveryFields(delivery, context.runtime.clock.now(), endpoints.urlOf(delivery))
        .filter(({ name }) => name !== 'payload')
        .map((field) => `${field.header.padEnd(13)}  ${safeLine(field.text(delivery))}`)
      return [...facts, '', ...JSON.stringify(delivery.payload, null, 2).split('\n').map(safeIndented)]
    },
  })
  model.status('connecting …')
  const following = (async () => {
    for await (const event of source) {
      if (event.type === 'delivery') {
        await endpoints.read(event.delivery)
        model.put(rowOf(event.delivery, endpoints.urlOf(event.delivery)))
      } else model.status(statusOf(event))
    }
  })()
  await Promise.race([quit, following])
}

function statusOf(event: Exclude<FollowEvent, { type: 'delivery' }>): string {
  switch (event.type) {
    case 'connected':
      return event.again ? 'reconnected' : 'connected'
    case 'lost':
      return `connection lost (${event.reason}), reconnecting in ${spanText(event.waitMs)}`
    case 'gap':
      return 'connected; some changes were missed'
    case 'reset':
      return 'the server was reset'
  }
}

function rowOf(delivery: Delivery, endpointUrl: string): LiveRow {
  const cells = [
    utcTime(delivery.created_at),
    delivery.status.padEnd(9),
    resultOf(delivery).padEnd(3),
    `${delivery.attempts}×`,
    delivery.event,
    delivery.response_id === null ? '' : `response ${delivery.response_id}`,
    delivery.id,
    delivery.next_attempt_at === null ? '' : `next ${utcTime(delivery.next_attempt_at)}`,
    delivery.note ?? '',
    endpointUrl,
  ]
  const tone = delivery.status === 'delivered' ? 'good' : delivery.status === 'pending' ? 'pending' : 'bad'
  return { key: delivery.id, line: safeLine(cells.filter((cell) => cell !== '').join('  ')), tone }
}
