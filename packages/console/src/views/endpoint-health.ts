import type { Delivery } from '@formwire/contract/control'

/** How an endpoint did, by its log. */
export interface Health {
  readonly delivered: number
  readonly failed: number
  readonly pending: number
  /** Share of the ended deliveries that were delivered, from 0 to 1; `undefined` if none has ended. */
  readonly successRate: number | undefined
  /** Median and 95th percentile of the duration of the last attempts, in milliseconds. */
  readonly p50: number | undefined
  readonly p95: number | undefined
  /** The newest delivery whose last attempt failed, unless a later one succeeded. */
  readonly lastError: Delivery | undefined
}

/** Returns the smallest value that at least this share of the values does not exceed. `sorted` is ascending. */
function percentile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]
}

/** Summarises the log of an endpoint. @param log Newest first. */
export function healthOf(log: readonly Delivery[]): Health {
  const amount = (status: string) => log.filter((delivery) => delivery.status === status).length
  const [delivered, failed, pending] = [amount('delivered'), amount('failed'), amount('pending')]
  const durations = log.flatMap(({ duration_ms: ms }) => (ms === null ? [] : [ms])).sort((a, b) => a - b)
  const newest = log.find(({ attempts }) => attempts > 0)
  return {
    delivered,
    failed,
    pending,
    successRate: delivered + failed === 0 ? undefined : delivered / (delivered + failed),
    p50: percentile(durations, 0.5),
    p95: percentile(durations, 0.95),
    lastError: newest?.error === null ? undefined : newest,
  }
}
