import type { DeliveryTally } from '@formwire/contract/control'

/** Returns the share of finished deliveries that were delivered, or `null` if none has finished. */
export function successRate({ delivered, failed }: DeliveryTally): number | null {
  const finished = delivered + failed
  return finished === 0 ? null : delivered / finished
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
