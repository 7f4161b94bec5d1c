import type { Delivery } from '@formwire/contract/control'

/** The other deliveries of an event. */
export interface Replays {
  /** The delivery that this one repeats, `undefined` if it is the first. */
  readonly original: Delivery | undefined
  /** Deliveries that repeat this one, newest first. Empty for a replay. */
  readonly replays: readonly Delivery[]
}

/** Returns the ids of the deliveries that repeat an earlier one of the list, newest first (DLV-08). Test events repeat none. */
export function replayIdsOf(list: readonly Delivery[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const ids = new Set<string>()
  for (let at = list.length - 1; at >= 0; at--) {
    const { id, form_id: formId, response_id: responseId, webhook_id: webhookId } = list[at] as Delivery
    if (responseId === 0) continue
    const event = `${webhookId} ${responseId} ${formId}`
    if (seen.has(event)) ids.add(id)
    seen.add(event)
  }
  return ids
}

/**
 * Finds the deliveries of the same response to the same endpoint: the oldest is the original, each other one a replay (DLV-08). Test
 * events cannot be told apart by their response.
 *
 * @param list Newest first. An original that has left the log is not found; its oldest replay takes its place.
 */
export function findReplays(
  list: readonly Delivery[],
  {
    id,
    form_id: formId,
    response_id: responseId,
    webhook_id: webhookId,
  }: Pick<Delivery, 'id' | 'form_id' | 'response_id' | 'webhook_id'>,
): Replays {
  const same =
    responseId === 0
      ? []
      : list.filter(
          (one) => one.response_id === responseId && one.webhook_id === webhookId && one.form_id === formId,
        )
  // Older than the log, and so than what the log has of it.
  if (!same.some((one) => one.id === id)) return { original: undefined, replays: same }
  const original = same.at(-1)
  if (original?.id !== id) return { original, replays: [] }
  return { original: undefined, replays: same.slice(0, -1) }
}
