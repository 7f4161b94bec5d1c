import type { EndpointLog } from '@formwire/contract/control'
import type { Endpoint } from '../state/catalog.ts'

const OUTCOMES = ['delivered', 'pending', 'failed'] as const

/** Returns how many deliveries have each outcome, such as `34 delivered, 2 pending`, or `no deliveries`. */
export const tallyText = (log: Pick<EndpointLog, (typeof OUTCOMES)[number]>): string =>
  OUTCOMES.filter((outcome) => log[outcome] > 0)
    .map((outcome) => `${log[outcome].toLocaleString('en')} ${outcome}`)
    .join(', ') || 'no deliveries'

/**
 * Returns the share of deliveries that were delivered, or `null` without any. Pending ones count once an attempt has failed, so
 * that an endpoint that has failed for an hour does not have 100%: it takes 14 hours until the first delivery has failed for good.
 */
export function successRate({
  delivered,
  retrying,
  failed,
}: Omit<EndpointLog, 'to_replay' | 'last_attempt'>) {
  const attempted = delivered + retrying + failed
  return attempted === 0 ? null : delivered / attempted
}

/** Returns how many endpoints are paused and how much they were not sent, such as `3 paused · 86 not sent`, if any is. */
export function pausedText(all: readonly Pick<Endpoint, 'health'>[]): string | undefined {
  const paused = all.filter(({ health }) => health.state === 'paused')
  const missed = paused.reduce((sum, { health }) => sum + health.not_sent, 0)
  if (paused.length === 0) return undefined
  return `${paused.length.toLocaleString('en')} paused${missed > 0 ? ` · ${missed.toLocaleString('en')} not sent` : ''}`
}
