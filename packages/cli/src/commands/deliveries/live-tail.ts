import { toneOf } from '@formwire/internal/status-tone'
import { deliveryFields, liveDeliveryColumns } from '../../columns/deliveries.ts'
import type { Context } from '../../context.ts'
import type { ControlClient } from '../../control/client.ts'
import { type Endpoints, healthSummary } from '../../control/endpoints.ts'
import type { FollowEvent, FollowOptions } from '../../control/follow.ts'
import { ServerClock } from '../../control/server-clock.ts'
import { spanText } from '../../output/time.ts'
import { paced } from '../../ui/live-counts.ts'
import { cellsOf } from '../../ui/live-model.ts'
import { mountLiveView } from '../../ui/mount.tsx'

/** Milliseconds between two readings of the health and the clock, at least. */
const HEALTH_INTERVAL_MS = 1_000

/** How far ahead the clock of the server may be of what is known of it, in milliseconds. */
const SKEW_MS = 1_000

/** What a tail follows: everything, a form, or an endpoint. */
export type Followed = Pick<FollowOptions, 'formId' | 'webhookId'>

/** Shows `deliveries tail` on a terminal: one row per delivery, updated with each attempt. */
export async function showDeliveryTail(
  context: Context,
  control: ControlClient,
  source: AsyncIterable<FollowEvent>,
  endpoints: Endpoints,
  { formId, webhookId }: Followed,
): Promise<void> {
  const clock = new ServerClock(context.runtime.clock)
  // The source reports what cannot be reached.
  const readClock = (): Promise<void> => control.clock().then(clock.set, () => undefined)
  let followed = await endpoints.of(formId, webhookId).catch(() => [])
  await readClock()
  const columns = liveDeliveryColumns(clock.now, (delivery) =>
    followed.length > 1 ? endpoints.urlOf(delivery) : '',
  )
  const { model, quit } = await mountLiveView(context, {
    title: titleOf({ formId, webhookId }, context.server?.baseUrl),
    nouns: ['delivery', 'deliveries'],
    columns,
    async replay(id) {
      const { id: copy } = await control.replay(id)
      return { message: `queued a copy as ${copy}`, copy: { key: copy, of: id } }
    },
    text: async (id) => (await control.delivery(id)).raw_body ?? undefined,
    async details(id) {
      const delivery = await control.delivery(id)
      const fields = () => deliveryFields(delivery, clock.now, endpoints)
      return {
        item: delivery,
        facts: () => fields().filter(({ name }) => name !== 'payload'),
        body: { json: delivery.payload },
      }
    },
  })
  const showHealth = (): void => model.show({ health: healthSummary(followed, clock.now()) })
  model.show({ status: 'connecting …' })
  showHealth()
  const readHealth = async (): Promise<void> => {
    const [found] = await Promise.all([
      endpoints.of(formId, webhookId).catch(() => followed),
      // Rows that say when they are next attempted are painted again.
      readClock(),
    ])
    followed = found
    showHealth()
  }
  const readHealthSoon = paced(() => void readHealth(), HEALTH_INTERVAL_MS)
  const following = (async () => {
    for await (const event of source) {
      readHealthSoon()
      if (event.type !== 'delivery') model.show({ status: statusOf(event) })
      else {
        const { delivery } = event
        await endpoints.read(delivery)
        // A manual clock was advanced. Otherwise the row would have the date of a day to come.
        if (Date.parse(delivery.created_at) > clock.now() + SKEW_MS) await readClock()
        const { id, status } = delivery
        model.put({ key: id, cells: cellsOf(columns, delivery), tone: toneOf(status) })
      }
    }
  })()
  await Promise.race([quit, following])
}

function titleOf({ formId, webhookId }: Followed, server = ''): string {
  const form = formId === undefined ? '' : ` of form ${formId}`
  return `deliveries${form}${webhookId === undefined ? '' : ` to endpoint ${webhookId}`} on ${server}`
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
