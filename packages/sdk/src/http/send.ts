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
import type { Claim, Priority, RateBudget } from './rate-budget.ts'
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
  const sending = new Sending(sender, call)
  for (;;) {
    const refused = sending.takePlace() ? undefined : await sending.waitForPlace()
    if (refused) return refused
    const next = sending.settle(await sending.attempt())
    if (typeof next !== 'number') return next
    if (!(await sleep(sender.clock, next, call.signal))) return sending.aborted()
    sending.startAgain()
  }
}

/** A call on its way: what it knows from one attempt to the next. */
class Sending {
  readonly #sender: Sender
  readonly #call: Call
  readonly #claim: Claim
  #budget: RateBudget
  /** Instant in milliseconds at which the coming attempt, or the one under way, began. */
  #startedAt: number
  /** Attempts made. */
  #attempts = 0
  #maybeDone = false

  constructor(sender: Sender, call: Call) {
    const { priority, limits, signal } = call
    this.#sender = sender
    this.#call = call
    this.#budget = sender.budget()
    this.#startedAt = sender.clock.now()
    const deadline = this.#startedAt + limits.totalTimeoutMs
    this.#claim = { priority, perMinute: sender.perMinute, deadline, signal }
  }

  /** After a wait: time has passed, and the budget may have been forgotten meanwhile. */
  startAgain(): void {
    this.#budget = this.#sender.budget()
    this.#startedAt = this.#sender.clock.now()
  }

  /** Takes a place in the rate budget if there is one at once. */
  takePlace(): boolean {
    return !this.#call.signal?.aborted && this.#budget.tryStart(this.#claim, this.#startedAt)
  }

  /** Waits for a place; gives the end of the call when there is none in time. */
  async waitForPlace(): Promise<Sent | undefined> {
    const { method, path, signal } = this.#call
    if (signal?.aborted) return this.aborted()
    this.#sender.observer.log('info', 'formwire: waiting for the rate budget', { method, path })
    const granted = await this.#budget.start(this.#claim)
    const now = this.#sender.clock.now()
    this.#startedAt = now
    if (granted) return undefined
    if (signal?.aborted) return this.aborted()
    const waitMs = this.#budget.nextAt(this.#claim.perMinute) - now
    return this.#failed(outOfBudget(this.#call, this.#attempts, waitMs, now < this.#budget.heldUntil))
  }

  /** One attempt, on the place taken before. */
  attempt(): Promise<Outcome> {
    const { apiKey, clock, observer, transport } = this.#sender
    const { method, path, root, body, limits, signal } = this.#call
    this.#attempts += 1
    const shown = { ...this.#call.headers }
    observer.request(method, path, this.#attempts, shown)
    // The key comes first for speed, since V8 reads an object slowly that grew after it was spread; and once more after the
    // hooks, so that none of them can read or replace it.
    const authorization = `Bearer ${apiKey}`
    const headers = { authorization, ...shown }
    headers.authorization = authorization
    return attempt(
      transport,
      { method, url: root + path, headers, body },
      { clock, timeoutMs: limits.timeoutMs, totalLeftMs: this.#claim.deadline - this.#startedAt, signal },
    )
  }

  /** What an attempt comes to: the end of the call, or the milliseconds to wait before the next attempt. */
  settle(outcome: Outcome): Sent | number {
    const now = this.#sender.clock.now()
    const response = outcome.kind === 'answer' ? outcome.response : undefined
    if (response?.status === 429) this.#budget.hold(rateLimitWaitMs(response.headers, now))
    this.#budget.end(now)

    if (outcome.kind === 'aborted') {
      this.#maybeDone = true
      return this.aborted()
    }
    if (response) {
      const { method, path } = this.#call
      this.#sender.observer.response(method, path, this.#attempts, response, now - this.#startedAt)
      if (response.status >= 200 && response.status < 300) {
        return { ok: true, response, attempts: this.#attempts, maybeDone: this.#maybeDone }
      }
    }
    return this.#retryOrFail(outcome, now)
  }

  #retryOrFail(outcome: Exclude<Outcome, { kind: 'aborted' }>, now: number): Sent | number {
    const { observer, random } = this.#sender
    const { method, path, limits } = this.#call
    const facts = retryFactsOf(outcome, now)
    const decision = decideRetry(method, facts, this.#attempts, now, {
      maxRetries: limits.maxRetries,
      deadline: this.#claim.deadline,
      random,
    })
    const error = errorOf(this.#sender, this.#call, outcome, this.#attempts, now)
    this.#maybeDone ||= mayBeDone(facts)
    if (decision.action === 'stop') return this.#failed(error)
    observer.retry(method, path, this.#attempts, decision.waitMs, error)
    return decision.waitMs
  }

  /** The end of a call that its caller aborted. */
  aborted(): Sent {
    const { method, path, signal } = this.#call
    const cause = safeCause(signal?.reason, this.#sender.apiKey)
    const facts = factsOf(this.#call, this.#attempts)
    return this.#failed(new AbortError(`${method} ${path} was aborted.`, facts, { cause }))
  }

  #failed(error: FormwireError): Sent {
    return { ok: false, error, maybeDone: this.#maybeDone }
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
