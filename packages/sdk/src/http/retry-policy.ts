import { backoffMs } from '@formwire/internal/backoff'

/** HTTP methods of the API. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Result of one attempt, reduced to what decides about a retry. */
export type RetryFacts =
  | { kind: 'response'; status: number; retryAfterMs: number | undefined }
  /** Connection failure. `maybeSent` is `false` if no connection was established; `permanent` is, for example, an invalid certificate. */
  | { kind: 'connection'; maybeSent: boolean; permanent: boolean }
  | { kind: 'timeout' }

/** The wait before a retry is random, up to this, which doubles with each retry. */
const BASE_BACKOFF_MS = 500
const MAX_BACKOFF_MS = 20_000
/** Largest jitter added to `Retry-After`, in milliseconds, so that callers do not retry in one burst. */
const RATE_LIMIT_JITTER_MS = 250

/**
 * Returns the milliseconds to wait before a retry, or `undefined` if the call must not be retried.
 *
 * - 429: retries any method, after at least `Retry-After` (ERR-05).
 * - 5xx, lost connection, timeout: retries GET, PUT, PATCH and DELETE with full-jitter backoff, and not before `Retry-After`.
 * - POST: apart from a 429, retries only if no connection was established, because then the service did not process it.
 *
 * A wait that would end after the deadline is no retry, since it would only delay the same error.
 *
 * @param limits `deadline` is the instant at which the whole call times out, and `random` the source of jitter.
 */
export function retryDelayMs(
  method: Method,
  facts: RetryFacts,
  attempt: number,
  now: number,
  limits: { maxRetries: number; deadline: number; random: () => number },
): number | undefined {
  if (attempt > limits.maxRetries) return undefined
  const waitMs = waitBefore(method, facts, attempt, limits.random)
  return waitMs !== undefined && now + waitMs < limits.deadline ? waitMs : undefined
}

/** Whether the service may have processed a failed attempt: the response was lost, or it is a 5xx. */
export function mayHaveSucceeded(facts: RetryFacts): boolean {
  if (facts.kind === 'response') return facts.status >= 500
  return facts.kind === 'timeout' || facts.maybeSent
}

function waitBefore(
  method: Method,
  facts: RetryFacts,
  attempt: number,
  random: () => number,
): number | undefined {
  const leastMs = facts.kind === 'response' ? (facts.retryAfterMs ?? 0) : 0
  if (facts.kind === 'response' && facts.status === 429) return leastMs + random() * RATE_LIMIT_JITTER_MS
  const lasting =
    facts.kind === 'response' ? facts.status < 500 : facts.kind === 'connection' && facts.permanent
  if (lasting || (method === 'POST' && mayHaveSucceeded(facts))) return undefined
  return Math.max(backoffMs(attempt, BASE_BACKOFF_MS, MAX_BACKOFF_MS, 1, random), leastMs)
}
