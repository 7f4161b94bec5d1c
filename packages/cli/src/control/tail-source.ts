import type { ControlClient } from './client.ts'
import type { Delivery } from './delivery.ts'
import { type FollowEvent, type FollowOptions, followDeliveries } from './follow.ts'

/** Options of a tail: the deliveries logged since an instant, then every change. */
export interface TailOptions extends FollowOptions {
  /** Milliseconds since the epoch. @default the tail starts now */
  since?: number | undefined
}

/** Yields the backlog, oldest first, then every change. Skips a delivery that the stream repeats unchanged. */
export async function* tailSource(control: ControlClient, options: TailOptions): AsyncGenerator<FollowEvent> {
  const seen = new Map<string, string>()
  let since = options.since
  for await (const event of followDeliveries(control, options)) {
    const repeated = event.type === 'delivery' && seen.get(event.delivery.id) === stateOf(event.delivery)
    if (!repeated) yield event
    if (event.type !== 'connected' || since === undefined) continue
    // Read once the stream is open, so that no change is missed in between.
    for (const delivery of await backlog(control, options, since)) {
      seen.set(delivery.id, stateOf(delivery))
      yield { type: 'delivery', delivery }
    }
    since = undefined
  }
}

const stateOf = (delivery: Delivery): string => `${delivery.status} ${delivery.attempts}`

async function backlog(control: ControlClient, options: TailOptions, since: number): Promise<Delivery[]> {
  const formIds =
    options.formId === undefined ? (await control.forms()).map(({ id }) => id) : [options.formId]
  const deliveries: Delivery[] = []
  for (const formId of formIds) {
    const webhookIds =
      options.webhookId === undefined ? await control.webhookIds(formId) : [options.webhookId]
    for (const webhookId of webhookIds) deliveries.push(...(await control.deliveries(formId, webhookId)))
  }
  return deliveries
    .filter((delivery) => Date.parse(delivery.created_at) >= since)
    .sort((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at))
}
