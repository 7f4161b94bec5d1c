import type { Delivery } from '@formwire/contract/control'
import { count } from '../../format.ts'
import { eventKey } from '../delivery/replays.ts'

/** What a bulk replay does with some deliveries. */
export interface ReplayPlan {
  /** Oldest first, so that receivers get them in the order of their creation. */
  readonly send: readonly Delivery[]
  /** Their endpoint is paused. */
  readonly paused: readonly Delivery[]
}

/** Returns the deliveries without those whose event a later delivery has for the same endpoint, or whose payload was deleted. */
function latestOfEach(deliveries: readonly Delivery[], among: readonly Delivery[]): Delivery[] {
  const newest = new Map<string, string>()
  for (const delivery of among) {
    // Every test event is an event of its own, but a newer one shows just as well whether the endpoint works.
    const key = eventKey(delivery)
    if (!newest.has(key)) newest.set(key, delivery.id)
  }
  return deliveries.filter(
    (delivery) => Object.keys(delivery.payload).length > 0 && newest.get(eventKey(delivery)) === delivery.id,
  )
}

function planOf(deliveries: readonly Delivery[], isPaused: (endpointId: number) => boolean): ReplayPlan {
  return {
    send: deliveries.filter(({ webhook_id: id }) => !isPaused(id)).reverse(),
    paused: deliveries.filter(({ webhook_id: id }) => isPaused(id)),
  }
}

/**
 * Plans the replay of the failed deliveries of a list. Each event is sent once to each endpoint: it is left out if a later
 * delivery of the whole log has the same event for the same endpoint, since that one was delivered, is pending, or is in the
 * list itself. A delivery whose payload was deleted with its response cannot be sent.
 *
 * @param list Newest first, the deliveries to replay those of.
 * @param log Newest first, the whole log.
 * @param isPaused Returns whether an endpoint is paused or was deleted.
 */
export function planReplayOfFailed(
  list: readonly Delivery[],
  log: readonly Delivery[],
  isPaused: (endpointId: number) => boolean,
): ReplayPlan {
  return planOf(
    latestOfEach(
      list.filter(({ status }) => status === 'failed'),
      log,
    ),
    isPaused,
  )
}

/** Plans the replay of a list, delivered ones included: each event once to each endpoint. Pending ones are sent anyway. */
export function planReplayOfAll(
  list: readonly Delivery[],
  isPaused: (endpointId: number) => boolean,
): ReplayPlan {
  const finished = list.filter(({ status }) => status !== 'pending')
  return planOf(latestOfEach(finished, finished), isPaused)
}

/** Returns the deliveries of a list that wait for their next attempt, oldest first. */
export const waitingOf = (list: readonly Delivery[]): readonly Delivery[] =>
  list.filter(({ status, attempts }) => status === 'pending' && attempts > 0).reverse()

/**
 * Returns what the latest attempts of deliveries came to, such as `6 delivered, 1 http_503, 1 refused`.
 *
 * @param ended Those whose attempt has ended.
 * @param total Number of all of them.
 */
export function outcomeOf(ended: readonly Delivery[], total: number): string {
  const counts = new Map<string, number>()
  const add = (what: string, amount: number) => counts.set(what, (counts.get(what) ?? 0) + amount)
  add('delivered', 0)
  for (const { error } of ended) add(error ?? 'delivered', 1)
  add('without a result yet', total - ended.length)
  return [...counts]
    .filter(([, amount]) => amount > 0)
    .map(([what, amount]) => `${amount} ${what}`)
    .join(', ')
}

/** Returns how many deliveries, such as `3 failed deliveries`. */
export const deliveriesText = (amount: number, kind = ''): string =>
  count(amount, `${kind}delivery`, `${kind}deliveries`)
