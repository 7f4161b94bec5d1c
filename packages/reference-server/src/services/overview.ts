import type {
  AttemptError,
  DeliveryOverview,
  DeliveryTally,
  OverviewEndpoint,
  OverviewSpan,
} from '@formwire/contract/control'
import type { Context } from '../context.ts'
import type { DeliveryRecord } from '../domain/delivery.ts'
import { formatTimestamp } from '../domain/instant.ts'
import type { Unspecified } from '../unspecified.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Duration and number of the buckets of each span. */
const BUCKETS: Readonly<Record<OverviewSpan, readonly [durationMs: number, count: number]>> = {
  '1h': [2 * MINUTE_MS, 30],
  '24h': [HOUR_MS, 24],
  '7d': [6 * HOUR_MS, 28],
  '30d': [DAY_MS, 30],
}

export const OVERVIEW_SPANS = ['1h', '24h', '7d', '30d'] as const satisfies readonly OverviewSpan[]

/** Most deliveries that are counted, the latest ones: about 10 ms of work. */
const COUNTED_MAX = 20_000
const ENDPOINTS_MAX = 50

/**
 * Returns a function that summarizes the deliveries of a span. The result is kept until a delivery changes or a new bucket
 * starts, so that a console that asks every few seconds costs nothing on an idle server.
 */
export function createOverview(context: Context): (span?: OverviewSpan) => DeliveryOverview {
  let kept: { readonly key: string; readonly state: object; readonly overview: DeliveryOverview } | undefined
  return (span = '7d') => {
    const { state, clock, settings } = context
    const now = clock.now()
    const [durationMs] = BUCKETS[span]
    const key = `${span} ${state.deliveries.revision} ${state.deliveries.size} ${Math.floor(now / durationMs)}`
    if (kept?.key !== key || kept.state !== state) {
      const records = state.deliveries.latest(COUNTED_MAX, now)
      const isAll = records.length < COUNTED_MAX
      kept = { key, state, overview: summarize(records, isAll, span, now, settings.unspecified) }
    }
    return kept.overview
  }
}

/** Times of responses, outcomes and errors of some attempts. */
class AttemptTally {
  readonly durations: number[] = []
  readonly errors = new Map<AttemptError, number>()
  attempts = 0
  failed = 0

  add({ attempts }: DeliveryRecord): void {
    for (const { httpStatus, durationMs, error } of attempts) {
      this.attempts += 1
      if (error !== null) {
        this.failed += 1
        this.errors.set(error, (this.errors.get(error) ?? 0) + 1)
      }
      if (httpStatus !== null) this.durations.push(durationMs)
    }
  }

  percentiles(): { p50_ms: number | null; p95_ms: number | null } {
    const sorted = Float64Array.from(this.durations).sort()
    return { p50_ms: percentile(sorted, 0.5), p95_ms: percentile(sorted, 0.95) }
  }
}

/** Nearest rank. */
const percentile = (sorted: Float64Array, share: number): number | null =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null

const emptyTally = (): DeliveryTally => ({ delivered: 0, pending: 0, failed: 0 })

/** @param records Newest first. */
function summarize(
  records: readonly DeliveryRecord[],
  isAll: boolean,
  span: OverviewSpan,
  now: number,
  { timestamps }: Pick<Unspecified, 'timestamps'>,
): DeliveryOverview {
  const [durationMs, count] = BUCKETS[span]
  const to = (Math.floor(now / durationMs) + 1) * durationMs
  const from = to - count * durationMs
  const buckets = Array.from({ length: count }, (_, index) => ({
    at: formatTimestamp(from + index * durationMs, timestamps),
    ...emptyTally(),
  }))
  const totals = emptyTally()
  const all = new AttemptTally()
  let retrying = 0
  const endpoints = new Map<number, EndpointTally>()
  for (const record of records) {
    const bucket = buckets[Math.floor((record.createdAt - from) / durationMs)]
    if (!bucket) continue
    bucket[record.status] += 1
    totals[record.status] += 1
    all.add(record)
    if (record.status === 'pending' && record.attempts.length > 0) retrying += 1
    let endpoint = endpoints.get(record.endpointId)
    if (!endpoint) {
      endpoint = new EndpointTally(record)
      endpoints.set(record.endpointId, endpoint)
    }
    endpoint.add(record)
  }
  const oldest = records.at(-1)
  return {
    span,
    from: formatTimestamp(from, timestamps),
    to: formatTimestamp(to, timestamps),
    bucket_seconds: durationMs / 1000,
    is_partial: !isAll && oldest !== undefined && oldest.createdAt > from,
    ...totals,
    buckets,
    retrying,
    attempts: all.attempts,
    failed_attempts: all.failed,
    ...all.percentiles(),
    errors: [...all.errors]
      .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
      .map(([error, attempts]) => ({ error, attempts })),
    endpoints: [...endpoints.values()]
      .map((endpoint) => endpoint.view())
      .sort(byTrouble)
      .slice(0, ENDPOINTS_MAX),
  }
}

/** The deliveries of one endpoint. */
class EndpointTally {
  readonly #record: DeliveryRecord
  readonly #attempts = new AttemptTally()
  readonly #tally = emptyTally()
  #lastAt = Number.NEGATIVE_INFINITY
  #lastError: AttemptError | null = null

  constructor(record: DeliveryRecord) {
    this.#record = record
  }

  add(record: DeliveryRecord): void {
    this.#tally[record.status] += 1
    this.#attempts.add(record)
    const last = record.attempts.at(-1)
    if (!last || last.startedAt <= this.#lastAt) return
    this.#lastAt = last.startedAt
    this.#lastError = last.error
  }

  view(): OverviewEndpoint {
    return {
      webhook_id: this.#record.endpointId,
      form_id: this.#record.formId,
      ...this.#tally,
      ...this.#attempts.percentiles(),
      last_error: this.#lastError,
    }
  }
}

/** Those that fail now first, then by the number of failed deliveries. */
const byTrouble = (a: OverviewEndpoint, b: OverviewEndpoint): number =>
  Number(b.last_error !== null) - Number(a.last_error !== null) ||
  b.failed - a.failed ||
  b.pending - a.pending ||
  a.webhook_id - b.webhook_id
