import { RETRY_DELAYS_MS } from '@formwire/contract'
import type { Delivery } from '@formwire/contract/control'
import type { Endpoint } from '../state/catalog.ts'

/**
 * Returns the share of deliveries that were delivered, or `null` without any. Pending ones count once an attempt has failed, so
 * that an endpoint that has failed for an hour does not have 100%: it takes 14 hours until the first delivery has failed for good.
 */
export function successRate(
  of: Readonly<Record<'delivered' | 'failed' | 'retrying', number>>,
): number | null {
  const attempted = of.delivered + of.failed + of.retrying
  return attempted === 0 ? null : of.delivered / attempted
}

/** The outcomes of deliveries, the best first. */
export const OUTCOMES = ['delivered', 'pending', 'failed'] as const

/** Number of deliveries by outcome. */
export type Tally = Readonly<Record<(typeof OUTCOMES)[number], number>>

/** Formats a tally as `34 delivered, 2 pending`, or `no deliveries`. */
export const tallyText = (tally: Tally): string =>
  OUTCOMES.filter((outcome) => tally[outcome] > 0)
    .map((outcome) => `${tally[outcome].toLocaleString('en')} ${outcome}`)
    .join(', ') || 'no deliveries'

/** Returns the smallest value that at least this share of the values does not exceed. `sorted` is ascending. */
function percentile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]
}

/** Summarizes the log of an endpoint. `p50` and `p95` are of the durations of the last attempts, in milliseconds. */
export function figuresOf(log: readonly Delivery[]) {
  const amount = (status: string) => log.filter((delivery) => delivery.status === status).length
  const [delivered, failed, pending] = [amount('delivered'), amount('failed'), amount('pending')]
  const retrying = log.filter(({ status, attempts }) => status === 'pending' && attempts > 0).length
  const durations = log.flatMap(({ duration_ms: ms }) => (ms === null ? [] : [ms])).sort((a, b) => a - b)
  return {
    delivered,
    failed,
    pending,
    successRate: successRate({ delivered, failed, retrying }),
    p50: percentile(durations, 0.5),
    p95: percentile(durations, 0.95),
  }
}

/** Returns when the last attempt of a delivery was by the retry schedule (DLV-06): the log has no times of attempts. */
const attemptedAt = ({ created_at: created, attempts }: Delivery): number =>
  RETRY_DELAYS_MS.slice(0, Math.max(0, attempts - 1)).reduce((at, delay) => at + delay, Date.parse(created))

/** Returns the delivery with the latest attempt, which agrees with the endpoint's health. @param log Newest first. */
export const latestOf = (log: readonly Delivery[], { state }: Endpoint['health']): Delivery | undefined =>
  log
    .filter(({ attempts, error }) => attempts > 0 && state !== (error === null ? 'failing' : 'healthy'))
    .sort((a, b) => attemptedAt(b) - attemptedAt(a))[0]
