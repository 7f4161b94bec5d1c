import { toneOf } from '@formwire/internal/status-tone'
import { deliveryFields, resultOf } from '../../columns/deliveries.ts'
import type { Context } from '../../context.ts'
import type { ControlClient } from '../../control/client.ts'
import type { Delivery } from '../../control/delivery.ts'
import type { Endpoints } from '../../control/endpoints.ts'
import type { FollowEvent, FollowOptions } from '../../control/follow.ts'
import { healthSummary } from '../../control/health.ts'
import { ServerClock } from '../../control/server-clock.ts'
import { dueText, spanText, timeOrDate, tookText } from '../../output/time.ts'
import type { LiveRow } from '../../ui/live-model.ts'
import type { LiveColumn } from '../../ui/live-table.ts'
import { mountLiveView } from '../../ui/mount.tsx'
import { paced } from '../../ui/paced.ts'

/** Milliseconds between two readings of the health and the clock, at least. */
const HEALTH_INTERVAL_MS = 1_000

/** How far ahead the clock of the server may be of what is known of it, in milliseconds. */
const SKEW_MS = 1_000

const COLUMNS: readonly LiveColumn[] = [
  { header: 'Time', width: 9 },
  { header: 'Form', width: 12, least: 7, drops: 2, dropsIfSame: 5 },
  { header: 'Status', width: 9, isToned: true },
  { header: 'Result', width: 8 },
  { header: 'Took', width: 6, align: 'right', drops: 4 },
  { header: 'Next', width: 9, align: 'right' },
  { header: 'Endpoint', short: 'To', width: 8, least: 4, align: 'right', drops: 3, dropsIfSame: 6 },
  { header: 'Response', short: 'Resp', width: 8, least: 5, align: 'right', drops: 1 },
  { header: 'Sent', width: 4, drops: 7 },
  { header: 'URL', width: 24, drops: 9 },
  { header: 'Delivery', width: 26, drops: 8 },
  { header: 'Event', width: 18, drops: 11 },
  { header: 'Note', width: 20, drops: 10 },
]

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
  const { model, quit } = await mountLiveView(context, {
    title: titleOf({ formId, webhookId }, context.server?.baseUrl),
    columns: COLUMNS,
    async replay(id) {
      const { id: copy } = await control.replay(id)
      return { message: `queued a copy as ${copy}`, copy: { key: copy, of: id } }
    },
    text: async (id) => (await control.delivery(id)).raw_body ?? undefined,
    async details(id) {
      const delivery = await control.delivery(id)
      return {
        facts() {
          return deliveryFields(delivery, clock.now, endpoints)
            .filter(({ name, text }) => name !== 'payload' && text(delivery) !== '')
            .map(({ header, text, pen }) => ({
              header,
              text: () => text(delivery),
              pen: () => pen?.(delivery),
            }))
        },
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
        const url = endpoints.urlOf(delivery)
        model.put(rowOf(delivery, clock.now, followed.length > 1 ? url : undefined))
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

/** Returns the row of a delivery. `endpointUrl`: undefined where there is only one endpoint. */
export function rowOf(delivery: Delivery, now: () => number, endpointUrl: string | undefined): LiveRow {
  const { id, status, attempts, duration_ms, response_id, webhook_id, next_attempt_at: next } = delivery
  const cells = [
    timeOrDate(delivery.created_at, now()),
    delivery.form_id,
    status,
    resultOf(delivery),
    typeof duration_ms === 'number' ? tookText(duration_ms) : '',
    // The first attempt starts at once.
    next === null || attempts === 0 ? '' : () => dueText(next, now()),
    endpointUrl === undefined ? '' : String(webhook_id),
    response_id === 0 ? 'test' : String(response_id),
    `${attempts}×`,
    endpointUrl ?? '',
    id,
    delivery.event,
    delivery.note ?? '',
  ]
  return {
    key: id,
    cells,
    tone: toneOf(status),
  }
}
