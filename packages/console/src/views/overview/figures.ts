import type { DeliveryOverview } from '@formwire/contract/control'

/**
 * Returns the share of deliveries that were delivered, or `null` without any. Pending ones count once an attempt has failed, so
 * that an endpoint that has failed for an hour does not have 100%: it takes 14 hours until the first delivery has failed for good.
 */
export function successRate({
  delivered,
  failed,
  retrying,
}: Pick<DeliveryOverview, 'delivered' | 'failed' | 'retrying'>): number | null {
  const attempted = delivered + failed + retrying
  return attempted === 0 ? null : delivered / attempted
}

/** Returns a response time: `84 ms`, `1.2 s`; `–` if there is none. */
export function timeText(ms: number | null): string {
  if (ms === null) return '–'
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`
}

/** Returns the highest value of the axis: 1, 2 or 5 times a power of ten, at least the largest bar. */
export function axisMax(largest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, largest)))
  return [1, 2, 5, 10].map((factor) => factor * power).find((value) => value >= largest) ?? largest
}
