import type { DeliveryState, EndpointLog } from '@formwire/contract/control'
import type { DeliveryRecord } from '../domain/delivery.ts'

/** States of a delivery in the log, which overlap: one that is retried is pending, too. */
export const DELIVERY_STATES: Readonly<Record<DeliveryState, (delivery: DeliveryRecord) => boolean>> = {
  retrying: ({ status, attempts }) => status === 'pending' && attempts.length > 0,
  failed: ({ status }) => status === 'failed',
  delivered: ({ status }) => status === 'delivered',
  pending: ({ status }) => status === 'pending',
}

/** Returns how many deliveries are in a state. */
export const countOf = (log: readonly DeliveryRecord[], state: DeliveryState): number =>
  log.filter(DELIVERY_STATES[state]).length

/**
 * Finds which deliveries repeat others: those of the same event and response to the same endpoint (DLV-08). A test event repeats none,
 * but shows as well as a replay whether the endpoint works.
 */
export function findReplays(log: readonly DeliveryRecord[]) {
  const sent = new Map<string, { oldest: number; newest: number }>()
  const keyOf = ({ endpointId, event, responseId }: DeliveryRecord) => `${endpointId} ${event} ${responseId}`
  for (const delivery of log) {
    const { sequence } = delivery
    const known = sent.get(keyOf(delivery))
    if (!known) sent.set(keyOf(delivery), { oldest: sequence, newest: sequence })
    else {
      known.oldest = Math.min(known.oldest, sequence)
      known.newest = Math.max(known.newest, sequence)
    }
  }
  return {
    isReplay: (of: DeliveryRecord): boolean =>
      of.responseId !== 0 && sent.get(keyOf(of))?.oldest !== of.sequence,
    isReplayed: (of: DeliveryRecord): boolean => sent.get(keyOf(of))?.newest !== of.sequence,
  }
}

/** Summarizes the deliveries of one endpoint. */
export function summarizeLog(log: readonly DeliveryRecord[]): EndpointLog {
  const failed = log.filter(DELIVERY_STATES.failed)
  // Most logs have none, and thousands of them are summarized at once.
  const { isReplayed } = findReplays(failed.length > 0 ? log : [])
  const latest = log
    .flatMap(({ attempts }) => attempts.at(-1) ?? [])
    .reduce<DeliveryRecord['attempts'][number] | undefined>(
      (last, attempt) => (last && last.startedAt > attempt.startedAt ? last : attempt),
      undefined,
    )
  return {
    delivered: countOf(log, 'delivered'),
    pending: countOf(log, 'pending'),
    retrying: countOf(log, 'retrying'),
    failed: failed.length,
    // The body goes with its response.
    to_replay: failed.filter((one) => one.body !== null && !isReplayed(one)).length,
    last_attempt: latest ? { http_status: latest.httpStatus, error: latest.error } : null,
  }
}
