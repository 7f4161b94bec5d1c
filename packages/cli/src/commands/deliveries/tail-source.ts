import type { AdminClient } from '../../admin/client.ts'
import type { DeliveryEntry } from '../../admin/delivery.ts'
import { type FollowEvent, type FollowOptions, followDeliveries } from '../../admin/follow.ts'

/** What a tail shows: what the log holds since an instant, then every change. */
export interface TailOptions extends FollowOptions {
  /** Instant in milliseconds; without it the tail begins now. */
  since?: number | undefined
}

/** The backlog, oldest first, then the changes. An entry of the backlog that the stream repeats unchanged comes once. */
export async function* tailSource(admin: AdminClient, options: TailOptions): AsyncGenerator<FollowEvent> {
  const told = new Map<string, string>()
  let since = options.since
  for await (const event of followDeliveries(admin, options)) {
    const repeated = event.type === 'entry' && told.get(event.entry.id) === stateOf(event.entry)
    if (!repeated) yield event
    if (event.type !== 'connected' || since === undefined) continue
    // Read once the stream is open, so that nothing falls between the two.
    for (const entry of await backlog(admin, options, since)) {
      told.set(entry.id, stateOf(entry))
      yield { type: 'entry', entry }
    }
    since = undefined
  }
}

const stateOf = (entry: DeliveryEntry): string => `${entry.status} ${entry.attempts}`

async function backlog(admin: AdminClient, options: TailOptions, since: number): Promise<DeliveryEntry[]> {
  const formIds = options.formId === undefined ? (await admin.forms()).map(({ id }) => id) : [options.formId]
  const entries: DeliveryEntry[] = []
  for (const formId of formIds) {
    const webhookIds = options.webhookId === undefined ? await admin.webhookIds(formId) : [options.webhookId]
    for (const webhookId of webhookIds) entries.push(...(await admin.deliveries(formId, webhookId)))
  }
  return entries
    .filter((entry) => Date.parse(entry.created_at) >= since)
    .sort((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at))
}
