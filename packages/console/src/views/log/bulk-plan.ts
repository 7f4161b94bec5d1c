import type { Delivery } from '@formwire/contract/control'
import { count } from '../../format.ts'
import { eventKey } from '../delivery/replays.ts'

export interface ReplayPlan {
  /** Oldest first, so that receivers get them in the order of their creation. */
  readonly send: readonly Delivery[]
  /** Those that could be sent if their endpoint were not paused, oldest first. */
  readonly paused: readonly Delivery[]
  /** Number of deliveries that the plan was made for. */
  readonly total: number
  /** Why the others are left out, with their number: `endpoint paused (12), already resent (8)`; empty if none is. */
  readonly leftOut: string
}

/** Counts equal words, in the order of their first occurrence. */
function amountsOf(words: readonly string[]): ReadonlyMap<string, number> {
  const amounts = new Map<string, number>()
  for (const word of words) amounts.set(word, (amounts.get(word) ?? 0) + 1)
  return amounts
}

const PAUSED = 'endpoint paused'

type IsPaused = (endpointId: number) => boolean

/**
 * Plans the replay of a list, delivered ones included, each event once to each endpoint. Pending ones are sent anyway.
 *
 * @param list Newest first.
 * @param isPaused Returns whether an endpoint is paused or was deleted.
 * @param among Newest first. An event is left out if a later delivery of these has it for the same endpoint, since that one was
 *   delivered, is pending, or is in the list itself. @default those of the list that are not pending
 */
export function planReplayOfAll(
  list: readonly Delivery[],
  isPaused: IsPaused,
  among: readonly Delivery[] = list.filter(({ status }) => status !== 'pending'),
): ReplayPlan {
  // Every test event is an event of its own, but a newer one shows just as well whether the endpoint works.
  const newest = new Map([...among].reverse().map((delivery) => [eventKey(delivery), delivery.id]))
  const obstacleOf = (delivery: Delivery): string => {
    if (delivery.status === 'pending') return 'still pending'
    if (newest.get(eventKey(delivery)) !== delivery.id) return 'already resent'
    // It was deleted with its response.
    if (Object.keys(delivery.payload).length === 0) return 'payload deleted'
    return isPaused(delivery.webhook_id) ? PAUSED : ''
  }
  const obstacles = list.map(obstacleOf)
  const leftOut = [...amountsOf(obstacles.filter(Boolean))].map(
    ([obstacle, amount]) => `${obstacle} (${amount})`,
  )
  const allWith = (obstacle: string) => list.filter((_, at) => obstacles[at] === obstacle).reverse()
  return {
    send: allWith(''),
    paused: allWith(PAUSED),
    total: list.length,
    leftOut: leftOut.join(', '),
  }
}

/** Plans the replay of the failed deliveries of a list. @param log Newest first, the whole log. */
export function planReplayOfFailed(
  list: readonly Delivery[],
  log: readonly Delivery[],
  isPaused: IsPaused,
): ReplayPlan {
  const failed = list.filter(({ status }) => status === 'failed')
  return planReplayOfAll(failed, isPaused, log)
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
  const ok = ended.filter(({ error }) => error === null).map(() => 'delivered')
  const missing = Array.from({ length: total - ended.length }, () => 'without a result yet')
  const amounts = amountsOf([...ok, ...ended.flatMap(({ error }) => error ?? []), ...missing])
  return [...amounts].map(([what, amount]) => `${amount} ${what}`).join(', ')
}

/** Returns how many deliveries, such as `3 failed deliveries`. */
export const deliveriesText = (amount: number, kind = ''): string =>
  count(amount, `${kind}delivery`, `${kind}deliveries`)
