/** HTTP methods of the API. */
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** How one attempt ended, as far as retrying goes. */
export type RetryFacts =
  | { kind: 'answer'; status: number; retryAfterMs: number | undefined }
  /** The connection failed; `maybeSent` is `false` when it never came up. `permanent`: a wrong certificate, say. */
  | { kind: 'connection'; maybeSent: boolean; permanent: boolean }
  | { kind: 'timeout' }

/** Limits of one call, and the source of its jitter. */
export interface RetryLimits {
  /** Retries after the first attempt. */
  maxRetries: number
  /** Instant in milliseconds at which the whole call has to be over. */
  deadline: number
  /** A number in [0, 1). */
  random: () => number
}

/** What to do after an attempt. */
export type RetryDecision = { action: 'wait'; waitMs: number } | { action: 'stop' }

const STOP: RetryDecision = { action: 'stop' }

/** Backoff before the first retry is drawn from [0, this), in milliseconds; it doubles with each retry. */
const BASE_BACKOFF_MS = 500
/** Largest upper end of the backoff, in milliseconds. */
const MAX_BACKOFF_MS = 20_000
/** Upper end of what is added to `Retry-After`, so that waiting callers do not come back in one burst. */
const RATE_LIMIT_JITTER_MS = 250

/**
 * Whether and how long to wait before the next attempt. Pure: the same facts give the same answer.
 *
 * - 429: any method, after at least `Retry-After` (ERR-05).
 * - 5xx, connection loss, timeout: GET, PATCH and DELETE, with full-jitter backoff; `Retry-After` of a 5xx counts as its least.
 * - POST: besides 429 only when the connection never came up, since it is certain then that nothing was carried out.
 *
 * A wait that does not end before the deadline stops at once: sleeping first would only delay the same error.
 */
export function decideRetry(
  method: Method,
  facts: RetryFacts,
  attempt: number,
  now: number,
  limits: RetryLimits,
): RetryDecision {
  if (attempt > limits.maxRetries) return STOP
  const waitMs = waitBefore(method, facts, attempt, limits.random)
  if (waitMs === undefined || now + waitMs >= limits.deadline) return STOP
  return { action: 'wait', waitMs }
}

/** Whether an attempt may have been carried out although it failed: its answer was lost, or is that of a failure midway. */
export function mayBeDone(facts: RetryFacts): boolean {
  if (facts.kind === 'answer') return facts.status >= 500
  return facts.kind === 'timeout' || facts.maybeSent
}

function waitBefore(
  method: Method,
  facts: RetryFacts,
  attempt: number,
  random: () => number,
): number | undefined {
  const leastMs = facts.kind === 'answer' ? (facts.retryAfterMs ?? 0) : 0
  if (facts.kind === 'answer' && facts.status === 429) return leastMs + random() * RATE_LIMIT_JITTER_MS
  const lasting =
    facts.kind === 'answer' ? facts.status < 500 : facts.kind === 'connection' && facts.permanent
  if (lasting || (method === 'POST' && mayBeDone(facts))) return undefined
  return Math.max(backoffMs(attempt, random), leastMs)
}

/** Full jitter: anywhere in [0, base · 2^(attempt − 1)), capped. */
function backoffMs(attempt: number, random: () => number): number {
  return random() * Math.min(MAX_BACKOFF_MS, BASE_BACKOFF_MS * 2 ** (attempt - 1))
}
