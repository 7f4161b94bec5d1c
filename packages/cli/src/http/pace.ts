import type { Transport, TransportResponse } from '@formwire/sdk'
import type { Runtime } from '../runtime.ts'

/** Requests that are sent at once, before others are spread evenly. */
const BURST = 10
/** Requests a minute after them: of the documented 120 (RATE-01), others with the key need some. */
const PER_MINUTE = 108
/** Milliseconds between requests after a 429 without headers. */
const DOCUMENTED_GAP_MS = 500
/** Longest gap, in milliseconds: shorter than the timeout of a request. */
const MAX_GAP_MS = 10_000

/** How many requests of bulk work are sent. */
export interface Pace {
  /** Requests a minute, or 0 for any number. @default 108; any number if the server `isLocal` */
  perMinute?: number | undefined
  /** Returns whether nobody else uses the server. Called once, before the first wait at the default rate. */
  isLocal?: () => Promise<boolean>
}

/** Returns for how many milliseconds requests at the same time may wait for their turn, at most. */
export const longestTurnMs = ({ perMinute = PER_MINUTE }: Pace): number =>
  perMinute === 0 ? 0 : (BURST + 1) * (60_000 / perMinute)

/**
 * Spreads requests evenly after a first few, and further apart if the service asks for it: by the headers of its rate limit, if it
 * sends any, else at the documented rate from the first 429 on.
 */
export function pacedTransport(
  transport: Transport,
  { clock, stop }: Pick<Runtime, 'clock' | 'stop'>,
  { perMinute, isLocal }: Pace,
): Transport {
  const rate = perMinute ?? PER_MINUTE
  const evenGapMs = rate === 0 ? 0 : 60_000 / rate
  /** When as many requests may be sent at once as in the beginning. */
  let restedAt = Number.NEGATIVE_INFINITY
  let isFree: Promise<boolean> | undefined
  let gapMs = 0
  let lastAt = Number.NEGATIVE_INFINITY
  return async (request) => {
    // Set before waiting, for requests at the same time.
    restedAt = Math.max(clock.now(), restedAt) + evenGapMs
    const turnMs = restedAt - Math.min(BURST, rate) * evenGapMs - clock.now()
    // Less is a rounding error.
    if (turnMs >= 1) {
      if (perMinute === undefined) isFree ??= isLocal?.()
      if (!(await isFree)) await clock.sleep(turnMs, stop)
    }
    const now = clock.now()
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
