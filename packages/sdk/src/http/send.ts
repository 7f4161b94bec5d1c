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
  | { response: TransportResponse; attempts: number }
  | { error: FormwireError; maybeDone: boolean }

/** Sends a call, waiting and retrying as {@link decideRetry} says. Failures are returned, not thrown. */
export async function send(sender: Sender, call: Call): Promise<Sent> {
  const { clock } = sender
  let now = clock.now()
  const sending = new Sending(sender, call, now)
  for (;;) {
    const refused = sending.takePlace(now) ? undefined : await sending.waitForPlace()
    if (refused) return refused
    const next = sending.settle(await sending.attempt())
    if (typeof next !== 'number') return next
    if (!(await sleep(clock, next, call.signal))) return sending.aborted()
    now = clock.now()
  }
}

/** A call on its way: what it knows from one attempt to the next. */
class Sending {
  readonly #sender: Sender
  readonly #call: Call
  readonly #claim: Claim
  /** Asked for anew by each attempt: it may have been forgotten during a wait. */
  #budget!: RateBudget
  /** Instant in milliseconds at which the coming attempt, or the one under way, began. */
  #startedAt = 0
  /** Attempts made. */
  #attempts = 0
  #maybeDone = false

  constructor(sender: Sender, call: Call, startedAt: number) {
    this.#sender = sender
    this.#call = call
    this.#claim = {
      priority: call.priority,
      perMinute: sender.perMinute,
      deadline: startedAt + call.limits.totalTimeoutMs,
      signal: call.signal,
    }
  }

  /** Takes a place in the rate budget if there is one at once. */
  takePlace(now: number): boolean {
    this.#budget = this.#sender.budget()
    this.#startedAt = now
    return this.#budget.tryStart(this.#claim, now)
  }

  /** Waits for a place; gives the end of the call when there is none in time. */
  async waitForPlace(): Promise<Sent | undefined> {
    const { signal } = this.#call
    if (signal?.aborted) return this.aborted()
    this.#sender.observer.log('info', 'formwire: no place in the rate budget', this.#facts)
    const granted = await this.#budget.start(this.#claim)
    this.#startedAt = this.#sender.clock.now()
    if (granted) return undefined
    return signal?.aborted ? this.aborted() : this.#failed(this.#outOfBudget())
  }

  /** One attempt, on the place taken before. */
  attempt(): Promise<Outcome> {
    const { apiKey, clock, observer, transport } = this.#sender
    const { method, path, root, body, limits, signal } = this.#call
    this.#attempts += 1
    // The others hold no key. This one comes first for speed: V8 reads an object slowly that grew after it was spread.
    const others = observer.request(method, path, this.#attempts, this.#call.headers)
    const headers = { authorization: `Bearer ${apiKey}`, ...others }
    return attempt(transport, {
      method,
      url: root + path,
      headers,
      body,
      clock,
      timeoutMs: limits.timeoutMs,
      totalLeftMs: this.#claim.deadline - this.#startedAt,
      signal,
    })
  }

  /** What an attempt comes to: the end of the call, or the milliseconds to wait before the next attempt. */
  settle(outcome: Outcome): Sent | number {
    const { clock, observer, random } = this.#sender
    const { method, path, limits } = this.#call
    const now = clock.now()
    const response = outcome.kind === 'answer' ? outcome.response : undefined
    if (response?.status === 429) this.#budget.hold(rateLimitWaitMs(response.headers, now))
    this.#budget.end(now)

    if (outcome.kind === 'aborted') {
      this.#maybeDone = true
      return this.aborted()
    }
    if (response) {
      observer.response(method, path, this.#attempts, response, now - this.#startedAt)
      if (response.status >= 200 && response.status < 300) {
        return { response, attempts: this.#attempts }
      }
    }

    const facts = retryFactsOf(outcome, now)
    const decision = decideRetry(method, facts, this.#attempts, now, {
      maxRetries: limits.maxRetries,
      deadline: this.#claim.deadline,
      random,
    })
    const error = this.#errorOf(outcome, now)
    this.#maybeDone ||= mayBeDone(facts)
    if (decision.action === 'stop') return this.#failed(error)
    observer.retry(method, path, this.#attempts, decision.waitMs, error)
    return decision.waitMs
  }

  /** The end of a call that its caller aborted. */
  aborted(): Sent {
    const cause = safeCause(this.#call.signal?.reason, this.#sender.apiKey)
    return this.#failed(new AbortError(`${this.#where} was aborted.`, this.#facts, { cause }))
  }

  #failed(error: FormwireError): Sent {
    return { error, maybeDone: this.#maybeDone }
  }

  get #where(): string {
    return `${this.#call.method} ${this.#call.path}`
  }

  get #facts(): RequestFacts {
    return { method: this.#call.method, path: this.#call.path, attempts: this.#attempts }
  }

  #errorOf(outcome: Failed, now: number): ApiError | ConnectionError | TimeoutError {
    const { apiKey, redact } = this.#sender
    if (outcome.kind === 'answer') {
      const { response } = outcome
      return errorFromAnswer(response, this.#facts, rateLimitWaitMs(response.headers, now), redact)
    }
    if (outcome.kind === 'timeout') {
      const option = outcome.total ? 'totalTimeoutMs' : 'timeoutMs'
      const timeoutMs = this.#call.limits[option]
      const message = `${this.#where} got no whole answer in time: ${option} is ${timeoutMs}.`
      return new TimeoutError(message, {
        ...this.#facts,
        timeoutMs,
        scope: outcome.total ? 'total' : 'attempt',
      })
    }
    const { systemCode, maybeSent } = outcome
    const what = maybeSent ? 'lost its connection' : `could not connect to ${new URL(this.#call.root).host}`
    return new ConnectionError(
      `${this.#where} ${what}${systemCode ? ` (${systemCode})` : ''}.`,
      { ...this.#facts, maybeSent, systemCode },
      { cause: safeCause(outcome.error, apiKey) },
    )
  }

  #outOfBudget(): RateLimitError | TimeoutError {
    const { totalTimeoutMs: timeoutMs } = this.#call.limits
    const waitMs = this.#budget.nextAt(this.#claim.perMinute) - this.#startedAt
    const reason = `no place in the rate budget within totalTimeoutMs: ask again in ${Math.ceil(waitMs / 1000)} s.`
    if (this.#startedAt >= this.#budget.heldUntil)
      return new TimeoutError(`${this.#where}: ${reason}`, { ...this.#facts, timeoutMs, scope: 'total' })
    return new RateLimitError({
      ...this.#facts,
      status: 429,
      code: 'rate_limited',
      reason: `after a 429 ${reason}`,
      headers: new Headers(),
      envelope: false,
      retryAfterMs: waitMs,
    })
  }
}

/** An attempt whose end is not the caller's doing. */
type Failed = Exclude<Outcome, { kind: 'aborted' }>

function retryFactsOf(outcome: Failed, now: number): RetryFacts {
  if (outcome.kind !== 'answer') return outcome
  const { status, headers } = outcome.response
  const retryAfterMs = (status === 429 ? rateLimitWaitMs : readRetryAfterMs)(headers, now)
  return { kind: 'answer', status, retryAfterMs }
}
