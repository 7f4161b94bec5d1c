import type { Delivery } from '@formwire/contract/control'
import { count } from '../../format.ts'
import { eventKey } from '../delivery/replays.ts'

/** What a bulk replay does with some deliveries. */
export interface ReplayPlan {
  /** Oldest first, so that receivers get them in the order of their creation. */
  readonly send: readonly Delivery[]
  /** Number of deliveries that the plan was made for. */
  readonly total: number
  /** Why the others are left out, with their number: `endpoint paused (12), already replayed (8)`; empty if none is. */
  readonly leftOut: string
}

/**
 * Plans the replay of the deliveries of a list. Each event is sent once to each endpoint.
 *
 * @param list Newest first.
 * @param among Newest first. An event is left out if a later delivery of these has it for the same endpoint, since that one was
 *   delivered, is pending, or is in the list itself.
 * @param isPaused Returns whether an endpoint is paused or was deleted.
 */
function planOf(
  list: readonly Delivery[],
  among: readonly Delivery[],
  isPaused: (endpointId: number) => boolean,
): ReplayPlan {
  const newest = new Map<string, string>()
  for (const delivery of among) {
    // Every test event is an event of its own, but a newer one shows just as well whether the endpoint works.
    const key = eventKey(delivery)
    if (!newest.has(key)) newest.set(key, delivery.id)
  }
  const obstacleOf = (delivery: Delivery): string | undefined => {
    if (delivery.status === 'pending') return 'still pending'
    if (newest.get(eventKey(delivery)) !== delivery.id) return 'already replayed'
    // It was deleted with its response.
    if (Object.keys(delivery.payload).length === 0) return 'payload deleted'
    return isPaused(delivery.webhook_id) ? 'endpoint paused' : undefined
  }
  const send: Delivery[] = []
  const leftOut = new Map<string, number>()
  for (const delivery of list) {
    const obstacle = obstacleOf(delivery)
    if (obstacle === undefined) send.unshift(delivery)
    else leftOut.set(obstacle, (leftOut.get(obstacle) ?? 0) + 1)
  }
  return {
    send,
    total: list.length,
    leftOut: [...leftOut].map(([obstacle, amount]) => `${obstacle} (${amount})`).join(', '),
  }
}

/** Plans the replay of the failed deliveries of a list. @param log Newest first, the whole log. */
export const planReplayOfFailed = (
  list: readonly Delivery[],
  log: readonly Delivery[],
  isPaused: (endpointId: number) => boolean,
): ReplayPlan =>
  planOf(
    list.filter(({ status }) => status === 'failed'),
    log,
    isPaused,
  )

/** Plans the replay of a list, delivered ones included. Pending ones are sent anyway. */
export const planReplayOfAll = (
  list: readonly Delivery[],
  isPaused: (endpointId: number) => boolean,
): ReplayPlan =>
  planOf(
    list,
    list.filter(({ status }) => status !== 'pending'),
    isPaused,
  )

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
