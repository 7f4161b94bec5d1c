import type { Delivery } from '@formwire/contract/control'

/** What a bulk replay does with the failed deliveries of a list. */
export interface ReplayPlan {
  /** Oldest first, so that receivers get them in the order of their creation. */
  readonly send: readonly Delivery[]
  /** Their endpoint is paused. */
  readonly paused: readonly Delivery[]
}

const sameEvent = ({ webhook_id, form_id, event, response_id }: Delivery): string =>
  `${webhook_id} ${form_id} ${event} ${response_id}`

/**
 * Plans the replay of the failed deliveries of a list. Each event is sent once to each endpoint: it is left out if a later
 * delivery of the whole log has the same event for the same endpoint, since that one was delivered, is pending, or is in the
 * list itself. A delivery whose payload was deleted with its response cannot be sent.
 *
 * @param list Newest first, the deliveries to replay those of.
 * @param log Newest first, the whole log.
 * @param isPaused Returns whether an endpoint is paused or was deleted.
 */
export function planReplay(
  list: readonly Delivery[],
  log: readonly Delivery[],
  isPaused: (endpointId: number) => boolean,
): ReplayPlan {
  const newest = new Map<string, string>()
  for (const delivery of log) {
    // Every test event is an event of its own, but a newer one shows just as well whether the endpoint works.
    const key = sameEvent(delivery)
    if (!newest.has(key)) newest.set(key, delivery.id)
  }
  const failed = list.filter(
    (delivery) =>
      delivery.status === 'failed' &&
      Object.keys(delivery.payload).length > 0 &&
      newest.get(sameEvent(delivery)) === delivery.id,
  )
  return {
    send: failed.filter(({ webhook_id: id }) => !isPaused(id)).reverse(),
    paused: failed.filter(({ webhook_id: id }) => isPaused(id)),
  }
}
