import type { Delivery } from '@formwire/contract/control'
import type { Endpoint } from '../state/catalog.ts'
import { successRate } from './overview/figures.ts'

/** What the log of an endpoint has. */
export interface LogFigures {
  readonly delivered: number
  readonly failed: number
  readonly pending: number
  readonly successRate: number | null
  /** Median and 95th percentile of the duration of the last attempts, in milliseconds. */
  readonly p50: number | undefined
  readonly p95: number | undefined
}

/** Returns the smallest value that at least this share of the values does not exceed. `sorted` is ascending. */
function percentile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]
}

/** Summarizes the log of an endpoint. */
export function figuresOf(log: readonly Delivery[]): LogFigures {
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

/** Returns the newest delivery whose last attempt failed, unless the endpoint works. @param log Newest first. */
export const lastErrorOf = (log: readonly Delivery[], { state }: Endpoint['health']): Delivery | undefined =>
  state === 'healthy' ? undefined : log.find(({ error }) => error !== null)
