import { RETRY_DELAYS_MS } from '@formwire/contract'
import type { Delivery } from '@formwire/contract/control'
import type { Endpoint } from '../state/catalog.ts'

/**
 * Returns the share of deliveries that were delivered, or `null` without any. Pending ones count once an attempt has failed, so
 * that an endpoint that has failed for an hour does not have 100%: it takes 14 hours until the first delivery has failed for good.
 */
export function successRate(log: readonly Delivery[]): number | null {
  const attempted = log.filter(({ status, attempts }) => status !== 'pending' || attempts > 0)
  return attempted.length === 0 ? null : amountOf(attempted, 'delivered') / attempted.length
}

/** Returns the milliseconds that at most one in twenty of the last attempts took longer than; `undefined` without any. */
export function p95(log: readonly Delivery[]): number | undefined {
  const durations = log.flatMap(({ duration_ms: ms }) => ms ?? []).sort((a, b) => a - b)
  return durations[Math.ceil(durations.length * 0.95) - 1]
}

const amountOf = (log: readonly Delivery[], outcome: string): number =>
  log.filter(({ status }) => status === outcome).length

/** Returns how many deliveries have each outcome, such as `34 delivered, 2 pending`, or `no deliveries`. */
export const tallyText = (log: readonly Delivery[]): string =>
  ['delivered', 'pending', 'failed']
    .filter((outcome) => amountOf(log, outcome) > 0)
    .map((outcome) => `${amountOf(log, outcome).toLocaleString('en')} ${outcome}`)
    .join(', ') || 'no deliveries'

/** Returns how many endpoints are paused and how much they were not sent, such as `3 paused · 86 not sent`, if any is. */
export function pausedText(all: readonly Pick<Endpoint, 'health'>[]): string | undefined {
  const paused = all.filter(({ health }) => health.state === 'paused')
  const missed = paused.reduce((sum, { health }) => sum + health.not_sent, 0)
  if (paused.length === 0) return undefined
  return `${paused.length.toLocaleString('en')} paused${missed > 0 ? ` · ${missed.toLocaleString('en')} not sent` : ''}`
}

/** Returns when the last attempt of a delivery was by the retry schedule (DLV-06): the log has no times of attempts. */
const attemptedAt = ({ created_at: created, attempts }: Delivery): number =>
  RETRY_DELAYS_MS.slice(0, Math.max(0, attempts - 1)).reduce((at, delay) => at + delay, Date.parse(created))

/** Returns the delivery with the latest attempt, which agrees with the endpoint's health. @param log Newest first. */
export const latestOf = (log: readonly Delivery[], { state }: Endpoint['health']): Delivery | undefined =>
  log
    .filter(({ attempts, error }) => attempts > 0 && state !== (error === null ? 'failing' : 'healthy'))
    .sort((a, b) => attemptedAt(b) - attemptedAt(a))[0]
