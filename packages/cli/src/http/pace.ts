import type { Transport, TransportResponse } from '@formwire/sdk'
import type { Runtime } from '../runtime.ts'

/** Milliseconds between requests at the documented rate of 120 a minute (RATE-01). */
const DOCUMENTED_GAP_MS = 500
/** Longest gap, in milliseconds: shorter than the timeout of a request. */
const MAX_GAP_MS = 10_000

/**
 * Spaces requests as the service asks for it: by the headers of its rate limit, if it sends any, else at the documented rate
 * from the first 429 on. Without either, requests follow each other without a gap.
 */
export function pacedTransport(
  transport: Transport,
  { clock, stop }: Pick<Runtime, 'clock' | 'stop'>,
): Transport {
  let gapMs = 0
  let lastAt = Number.NEGATIVE_INFINITY
  return async (request) => {
    const now = clock.now()
    // Set before waiting, for requests at the same time.
    lastAt = Math.max(now, lastAt + gapMs)
    if (lastAt > now) await clock.sleep(lastAt - now, stop)
    const response = await transport(request)
    gapMs = gapAfter(response, clock.now()) ?? (response.status === 429 ? DOCUMENTED_GAP_MS : gapMs)
    return response
  }
}

/**
 * Returns the gap in milliseconds that spreads the remaining requests over the rest of the window; 0 while more than half of
 * them remain. Undefined without the headers.
 */
export function gapAfter({ headers }: Pick<TransportResponse, 'headers'>, now: number): number | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    numberOf(headers.get(`ratelimit-${name}`) ?? headers.get(`x-ratelimit-${name}`)),
  )
  if (remaining === undefined || reset === undefined) return undefined
  if (limit !== undefined && remaining > limit / 2) return 0
  // Some services send the seconds until the reset, others its time in Unix seconds.
  const resetMs = reset > 1e9 ? reset * 1000 - now : reset * 1000
  return Math.min(MAX_GAP_MS, Math.max(0, resetMs) / (remaining + 1))
}

function numberOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined
}
