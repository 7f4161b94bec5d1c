import { type Clock, sleep } from '../clock.ts'
import { AbortError } from '../errors/abort-error.ts'
import type { ApiError } from '../errors/api-error.ts'
import { ConnectionError } from '../errors/connection-error.ts'
import type { FormwireError, RequestFacts } from '../errors/formwire-error.ts'
import { errorFromAnswer } from '../errors/from-answer.ts'
import { RateLimitError } from '../errors/rate-limit-error.ts'
import { TimeoutError } from '../errors/timeout-error.ts'
import type { CallLimits } from '../options.ts'
import { attempt, type Outcome } from './attempt.ts'
import type { Observer } from './observer.ts'
import type { Priority, RateBudget } from './rate-budget.ts'
import { safeCause } from './redact.ts'
import { rateLimitWaitMs, readRetryAfterMs } from './retry-after.ts'
import { decideRetry, type Method, mayBeDone, type RetryFacts } from './retry-policy.ts'
import type { Transport, TransportResponse } from './transport.ts'

/** One call, ready to be sent. */
export interface Call {
  limits: CallLimits
  method: Method
  /** Path below `/api/v1`, with its query. */
  path: string
  /** Where `path` hangs: the service's root and `/api/v1`. */
  root: string
  body: string | undefined
  /** Headers besides `authorization`, names in lower case. */
  headers: Record<string, string>
  priority: Priority
  signal: AbortSignal | undefined
}

/** What calls of one client share. */
export interface Sender {
  apiKey: string
  transport: Transport
  clock: Clock
  random: () => number
  budget: () => RateBudget
  perMinute: number
  observer: Observer
  redact: <Value>(value: Value) => Value
}

/** How a call ended. `maybeDone`: some attempt may have been carried out although its answer was lost. */
export type Sent =
  | { ok: true; response: TransportResponse; attempts: number; maybeDone: boolean }
  | { ok: false; error: FormwireError; maybeDone: boolean }

/** Sends a call, waiting and retrying as {@link decideRetry} says. Failures are returned, not thrown. */
export async function send(sender: Sender, call: Call): Promise<Sent> {
  const { clock, observer } = sender
  const { method, path, signal, limits } = call
  let startedAt = clock.now()
  const deadline = startedAt + limits.totalTimeoutMs
  let maybeDone = false
  const failed = (error: FormwireError): Sent => ({ ok: false, error, maybeDone })

  for (let number = 1; ; number += 1) {
    const budget = sender.budget()
    const claim = { priority: call.priority, perMinute: sender.perMinute, deadline, signal }
    if (signal?.aborted) return failed(aborted(sender, call, number - 1))
    if (!budget.tryStart(claim, startedAt)) {
      observer.log('info', 'formwire: waiting for the rate budget', { method, path })
      const granted = await budget.start(claim)
      startedAt = clock.now()
      if (!granted) {
        const waitMs = budget.nextAt(sender.perMinute) - startedAt
        const held = startedAt < budget.heldUntil
        return failed(
          signal?.aborted ? aborted(sender, call, number - 1) : outOfBudget(call, number - 1, waitMs, held),
        )
      }
    }

    const headers = { ...call.headers }
    observer.request(method, path, number, headers)
    // Last, so that no hook and no header option can read or replace it.
    headers.authorization = `Bearer ${sender.apiKey}`
    const outcome = await attempt(
      sender.transport,
      { method, url: call.root + path, headers, body: call.body },
      { clock, timeoutMs: limits.timeoutMs, totalLeftMs: deadline - startedAt, signal },
    )
    const now = clock.now()
    const response = outcome.kind === 'answer' ? outcome.response : undefined
    if (response?.status === 429) budget.hold(rateLimitWaitMs(response.headers, now))
    budget.end(now)

    if (outcome.kind === 'aborted') {
      maybeDone = true
      return failed(aborted(sender, call, number))
    }
    if (response) {
      observer.response(method, path, number, response, now - startedAt)
      if (response.status >= 200 && response.status < 300) {
        return { ok: true, response, attempts: number, maybeDone }
      }
    }

    const facts = retryFactsOf(outcome, now)
    const decision = decideRetry(method, facts, number, now, {
      maxRetries: limits.maxRetries,
      deadline,
      random: sender.random,
    })
    const error = errorOf(sender, call, outcome, number, now)
    maybeDone ||= mayBeDone(facts)
    if (decision.action === 'stop') return failed(error)
    observer.retry(method, path, number, decision.waitMs, error)
    if (!(await sleep(clock, decision.waitMs, signal))) return failed(aborted(sender, call, number))
    startedAt = clock.now()
  }
}

function retryFactsOf(outcome: Exclude<Outcome, { kind: 'aborted' }>, now: number): RetryFacts {
  if (outcome.kind !== 'answer') return outcome
  const { status, headers } = outcome.response
  const retryAfterMs = status === 429 ? rateLimitWaitMs(headers, now) : readRetryAfterMs(headers, now)
  return { kind: 'answer', status, retryAfterMs }
}

function errorOf(
  sender: Sender,
  call: Call,
  outcome: Exclude<Outcome, { kind: 'aborted' }>,
  attempts: number,
  now: number,
): ApiError | ConnectionError | TimeoutError {
  const facts = factsOf(call, attempts)
  const where = `${call.method} ${call.path}`
  if (outcome.kind === 'answer') {
    const { response } = outcome
    return errorFromAnswer(response, facts, rateLimitWaitMs(response.headers, now), sender.redact)
  }
  if (outcome.kind === 'timeout') {
    const option = outcome.total ? 'totalTimeoutMs' : 'timeoutMs'
    const timeoutMs = call.limits[option]
    return new TimeoutError(`${where} got no whole answer in time: ${option} is ${timeoutMs}.`, {
      ...facts,
      timeoutMs,
      scope: outcome.total ? 'total' : 'attempt',
    })
  }
  const { systemCode, maybeSent } = outcome
  const what = maybeSent ? 'lost its connection' : `could not connect to ${new URL(call.root).host}`
  return new ConnectionError(
    `${where} ${what}${systemCode ? ` (${systemCode})` : ''}.`,
    { ...facts, maybeSent, systemCode },
    { cause: safeCause(outcome.error, sender.apiKey) },
  )
}

function aborted({ apiKey }: Sender, call: Call, attempts: number): AbortError {
  return new AbortError(`${call.method} ${call.path} was aborted.`, factsOf(call, attempts), {
    cause: safeCause(call.signal?.reason, apiKey),
  })
}

function outOfBudget(
  call: Call,
  attempts: number,
  waitMs: number,
  held: boolean,
): RateLimitError | TimeoutError {
  const facts = factsOf(call, attempts)
  const { totalTimeoutMs: timeoutMs } = call.limits
  const reason = `no place in the rate budget within totalTimeoutMs: ask again in ${Math.ceil(waitMs / 1000)} s.`
  if (!held)
    return new TimeoutError(`${call.method} ${call.path}: ${reason}`, { ...facts, timeoutMs, scope: 'total' })
  return new RateLimitError({
    ...facts,
    status: 429,
    code: 'rate_limited',
    reason: `after an earlier 429 ${reason}`,
    headers: new Headers(),
    envelope: false,
    retryAfterMs: waitMs,
  })
}

function factsOf({ method, path }: Call, attempts: number): RequestFacts {
  return { method, path, attempts }
}
