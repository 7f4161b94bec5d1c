import type { Delivery } from '@formwire/contract/control'

/** The members of a delivery that name its event and its endpoint. A replay has the same ones. */
type EventOf = Pick<Delivery, 'form_id' | 'webhook_id' | 'event' | 'response_id'>

const eventKey = ({ webhook_id, form_id, event, response_id }: EventOf): string =>
  `${webhook_id} ${form_id} ${event} ${response_id}`

/** Returns the ids of the deliveries that repeat an earlier one of the list, newest first (DLV-08). Test events repeat none. */
export function replayIdsOf(list: readonly Delivery[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const ids = new Set<string>()
  for (let at = list.length - 1; at >= 0; at--) {
    const delivery = list[at] as Delivery
    if (delivery.response_id === 0) continue
    const key = eventKey(delivery)
    if (seen.has(key)) ids.add(delivery.id)
    seen.add(key)
  }
  return ids
}

/**
 * Returns the failed deliveries of a list that no later delivery of the log repeats, oldest first. A newer test event repeats an
 * older one: it shows just as well whether the endpoint works.
 *
 * @param list Newest first.
 * @param log Newest first, the whole log.
 */
export function failedOf(list: readonly Delivery[], log: readonly Delivery[]): readonly Delivery[] {
  const newest = new Map([...log].reverse().map((delivery) => [eventKey(delivery), delivery.id]))
  return list.filter((one) => one.status === 'failed' && newest.get(eventKey(one)) === one.id).reverse()
}

/**
 * Finds the deliveries of the same response to the same endpoint: the oldest is the original, each other one a replay (DLV-08). Test
 * events cannot be told apart by their response.
 *
 * @param list Newest first. An original that has left the log is not found; its oldest replay takes its place.
 */
export function findReplays(
  list: readonly Delivery[],
  of: EventOf & Pick<Delivery, 'id'>,
): { original: Delivery | undefined; replays: readonly Delivery[] } {
  const key = eventKey(of)
  const same =
    of.response_id === 0
      ? []
      : list.filter((one) => one.response_id === of.response_id && eventKey(one) === key)
  const at = same.findIndex((one) => one.id === of.id)
  // Older than the log, and so than what the log has of it.
  if (at === -1) return { original: undefined, replays: same }
  return { original: at === same.length - 1 ? undefined : same.at(-1), replays: same.slice(0, at) }
}

/** Returns the replay that shows what came of sending a delivery again: the newest that was delivered, or the newest. */
export function latestReplay(list: readonly Delivery[], of: EventOf & Pick<Delivery, 'id'>) {
  const { replays } = findReplays(list, of)
  return replays.find(({ status }) => status === 'delivered') ?? replays[0]
}
