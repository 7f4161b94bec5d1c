import type { AdminClient } from '../admin/client.ts'
import type { DeliveryEntry } from '../admin/delivery.ts'
import type { FollowEvent } from '../admin/follow.ts'
import { deliveryFields } from '../commands/deliveries/columns.ts'
import type { Context } from '../context.ts'
import { safeLine } from '../output/text-safety.ts'
import { spanText } from '../output/time.ts'
import type { LiveRow } from './live-model.ts'
import { mountLiveView } from './mount.tsx'

/** `deliveries tail` on a terminal: one row a delivery, renewed with each attempt. */
export async function showDeliveryTail(
  context: Context,
  admin: AdminClient,
  source: AsyncIterable<FollowEvent>,
): Promise<void> {
  const { model, quit } = mountLiveView(context, 'deliveries', {
    replay: async (id) => `queued a copy as ${(await admin.replay(id)).id}`,
    details: async (id) => {
      const entry = await admin.delivery(id)
      return deliveryFields(entry, context.runtime.clock.now()).map(
        (field) => `${field.label.padEnd(10)}  ${safeLine(field.text(entry))}`,
      )
    },
  })
  model.status('connecting …')
  const following = (async () => {
    for await (const event of source) {
      if (event.type === 'entry') model.put(rowOf(event.entry))
      else model.status(statusOf(event))
    }
  })()
  await Promise.race([quit, following])
}

function statusOf(event: Exclude<FollowEvent, { type: 'entry' }>): string {
  switch (event.type) {
    case 'connected':
      return event.again ? 'connected again' : 'connected'
    case 'lost':
      return `connection lost, trying again in ${spanText(event.waitMs)}`
    case 'gap':
      return 'connected; some changes were missed'
    case 'reset':
      return 'the server was reset'
  }
}

function rowOf(entry: DeliveryEntry): LiveRow {
  const cells = [
    entry.created_at.slice(11, 19),
    entry.status.padEnd(9),
    String(entry.http_status ?? '').padEnd(3),
    `${entry.attempts}×`,
    entry.event,
    entry.response_id === null ? '' : `response ${entry.response_id}`,
    entry.id,
    entry.next_attempt_at === null ? '' : `next ${entry.next_attempt_at.slice(11, 19)}`,
    entry.note ?? '',
  ]
  const tone = entry.status === 'delivered' ? 'good' : entry.status === 'pending' ? 'waiting' : 'bad'
  return { key: entry.id, line: safeLine(cells.filter((cell) => cell !== '').join('  ')), tone }
}
