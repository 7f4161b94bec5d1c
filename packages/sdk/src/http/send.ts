import { type Clock, sleep } from '@formwire/internal/clock'
import { RateLimitError } from '../errors/api-errors.ts'
import {
  AbortError,
  ConnectionError,
  isResponseTooLargeError,
  isUsageError,
  ResponseTooLargeError,
  TimeoutError,
} from '../errors/client-errors.ts'
import type { FormwireError, RequestFacts } from '../errors/formwire-error.ts'
import { type AttemptPlan, attempt, type Outcome } from './attempt.ts'
import { isBlockedPort, isUnexpectedContinue } from './classify-failure.ts'
import { type RequestMessage, requestEnd, requestStart } from './diagnostics.ts'
import { errorFromResponse } from './error-from-response.ts'
import { checkedHeaders } from './headers.ts'
import type { Observer } from './observer.ts'
import type { Budget, Claim, Priority } from './rate-budget.ts'
import { safeCause } from './redact.ts'
import { MAX_HOLD_MS, rateLimitWaitMs, readRetryAfterMs } from './retry-after.ts'
import { type Method, mayHaveSucceeded, type RetryFacts, retryDelayMs } from './retry-policy.ts'
import type { Transport, TransportResponse } from './transport.ts'

/** Error codes of zlib (`Z_` for gzip, `ERR__` for brotli) and of `readBody`. */
const UNDECODED = /^Z_|^ERR__|ENCODING/

/** Time and retry limits of a call. See the options of the same names. */
export interface CallLimits {
  timeoutMs: number
  totalTimeoutMs: number
  maxRetries: number
}

/** A call, ready to be sent. */
export interface Call {
  limits: CallLimits
  method: Method
  /** Path below `/api/v1`, with its query. */
  path: string
  /** URL that `path` is appended to: base URL and `/api/v1`. */
  root: string
  body: string | undefined
  /** Headers without `authorization`, with lower-case names. */
  headers: Record<string, string>
  priority: Priority
  signal: AbortSignal | undefined
}

/** Settings and state shared by all calls of a client. */
export interface ClientContext {
  apiKey: string
  transport: Transport
  maxResponseBytes: number
  clock: Clock
  random: () => number
  budget: () => Budget
  perMinute: number
  observer: Observer
  redact: <Value>(value: Value) => Value
}

/** Result of a call. `maybeSucceeded`: the service may have processed an attempt although it failed. */
export type CallResult =
  | { response: TransportResponse; attempts: number }
  | { error: FormwireError; maybeSucceeded: boolean }

/** Sends a call and retries it after {@link retryDelayMs}. Returns errors instead of throwing them. */
export async function send(context: ClientContext, call: Call): Promise<CallResult> {
  const { clock } = context
  let now = clock.now()
  const loop = new RetryLoop(context, call, now)
  for (;;) {
    const refused = loop.tryTakeSlot(now) ? undefined : await loop.waitForSlot()
    if (refused) return refused
    const next = loop.settle(await loop.attempt())
    if (typeof next !== 'number') return next
    if (!(await sleep(clock, next, call.signal))) return loop.aborted()
    now = clock.now()
  }
}

/** State of a call across its attempts. */
class RetryLoop {
  readonly #context: ClientContext
  readonly #call: Call
  readonly #claim: Claim
  /** Looked up for each attempt, since an idle budget may be dropped during a wait. */
  #budget!: Budget
  /** Start of the current attempt, in milliseconds. */
  #startedAt = 0
  /** Attempts made. */
  #attempts = 0
  /** Published message of the current attempt, if anybody subscribed. */
  #message: RequestMessage | undefined
  #maybeSucceeded = false

  constructor(context: ClientContext, call: Call, startedAt: number) {
    this.#context = context
    this.#call = call
    this.#claim = {
      priority: call.priority,
      perMinute: context.perMinute,
      timeoutMs: call.limits.timeoutMs,
      deadline: startedAt + call.limits.totalTimeoutMs,
      signal: call.signal,
    }
  }

  /** Takes a slot of the rate budget if one is free. */
  tryTakeSlot(now: number): boolean {
    this.#budget = this.#context.budget()
    this.#startedAt = now
    return this.#budget.tryStart(this.#claim, now)
  }

  /** Waits for a slot of the rate budget. Returns the result of the call if there is none in time. */
  async waitForSlot(): Promise<CallResult | undefined> {
    const { signal } = this.#call
    if (signal?.aborted) return this.aborted()
    this.#context.observer.log('info', 'waiting for the rate budget', this.#facts)
    const granted = await this.#budget.start(this.#claim)
    this.#startedAt = this.#context.clock.now()
    if (granted) return undefined
    return signal?.aborted ? this.aborted() : this.#failed(this.#outOfBudget())
  }

  /** Makes one attempt. A slot must have been taken. */
  attempt(): Promise<Outcome> {
    const { apiKey, clock, maxResponseBytes, observer, transport } = this.#context
    const { method, path, root, body, limits, signal } = this.#call
    this.#attempts += 1
    // First for speed: V8 reads an object slowly if a property is added after a spread.
    const observed = observer.request(this.#event, this.#call.headers)
    const others = requestStart?.hasSubscribers ? this.#publishStart(observed) : observed
    const headers = { authorization: `Bearer ${apiKey}`, ...others }
    const plan: AttemptPlan = {
      method,
      url: root + path,
      headers,
      body,
      maxResponseBytes,
      clock,
      timeoutMs: limits.timeoutMs,
      totalLeftMs: this.#claim.deadline - this.#startedAt,
      signal,
    }
    const run = this.#message?.run
    return run ? run(() => attempt(transport, plan)) : attempt(transport, plan)
  }

  /** Publishes the start of an attempt. Returns its headers, as changed by the subscribers, or as they were if that is not valid. */
  #publishStart(headers: Record<string, string>): Record<string, string> {
    const { method, root, path } = this.#call
    this.#message = { method, url: root + path, attempt: this.#attempts, headers: { ...headers } }
    requestStart?.publish(this.#message)
    try {
      return checkedHeaders(this.#message.headers)
    } catch {
      return headers
    }
  }

  #publishEnd(message: RequestMessage, outcome: Outcome): void {
    this.#message = undefined
    if (outcome.kind === 'response') message.status = outcome.response.status
    else message.failure = outcome.kind
    requestEnd?.publish(message)
  }

  /** Returns the result of the call, or the milliseconds to wait before the next attempt. */
  settle(outcome: Outcome): CallResult | number {
    const { clock, observer, random } = this.#context
    const { method, limits } = this.#call
    const now = clock.now()
    const response = outcome.kind === 'response' ? outcome.response : undefined
    if (response?.status === 429) this.#hold(rateLimitWaitMs(response.headers, now))
    this.#budget.end(now)
    if (this.#message) this.#publishEnd(this.#message, outcome)

    if (outcome.kind === 'aborted') return this.aborted()
    if (response) {
      observer.response(this.#event, response, now - this.#startedAt)
      if (response.status >= 200 && response.status < 300) {
        return { response, attempts: this.#attempts }
      }
    }

    const facts = retryFactsOf(outcome, now)
    const waitMs = retryDelayMs(method, facts, this.#attempts, now, {
      maxRetries: limits.maxRetries,
      deadline: this.#claim.deadline,
      random,
    })
    const error = this.#errorOf(outcome, now)
    this.#maybeSucceeded ||= mayHaveSucceeded(facts)
    if (waitMs === undefined) return this.#failed(error)
    observer.retry(this.#event, waitMs, error)
    return waitMs
  }

  /** Returns the result of a call that its caller aborted. */
  aborted(): CallResult {
    const cause = safeCause(this.#call.signal?.reason, this.#context.apiKey)
    return this.#failed(new AbortError(`${this.#where} was aborted.`, this.#facts, { cause }))
  }

  /** Blocks the key. Limited for other calls, so that one extreme header does not block them indefinitely. */
  #hold(retryAfterMs: number): void {
    this.#budget.hold(Math.min(retryAfterMs, MAX_HOLD_MS))
    if (retryAfterMs > MAX_HOLD_MS) {
      const message = 'Retry-After exceeds one hour; other calls wait one hour'
      this.#context.observer.log('warn', message, { ...this.#facts, retryAfterMs })
    }
  }

  #failed(error: FormwireError): CallResult {
    return { error, maybeSucceeded: this.#maybeSucceeded }
  }

  get #where(): string {
    return `${this.#call.method} ${this.#call.path}`
  }

  get #event() {
    return { method: this.#call.method, path: this.#call.path, attempt: this.#attempts }
  }

  get #facts(): RequestFacts {
    return { method: this.#call.method, path: this.#call.path, attempts: this.#attempts }
  }

  #errorOf(outcome: Failed, now: number): FormwireError {
    const { apiKey, redact } = this.#context
    if (outcome.kind === 'response') {
      const { response } = outcome
      return errorFromResponse(response, this.#facts, rateLimitWaitMs(response.headers, now), redact)
    }
    if (outcome.kind === 'timeout') {
      const option = outcome.total ? 'totalTimeoutMs' : 'timeoutMs'
      const timeoutMs = this.#call.limits[option]
      const message = `${this.#where} timed out before a complete response arrived (${option}: ${timeoutMs}).`
      return new TimeoutError(message, {
        ...this.#facts,
        timeoutMs,
        scope: outcome.total ? 'total' : 'attempt',
      })
    }
    const { cause, systemCode, maybeSent } = outcome
    // For example of a transport whose package is not installed.
    if (isUsageError(cause)) return cause
    if (isResponseTooLargeError(cause)) {
      return new ResponseTooLargeError({ ...this.#facts, maxResponseBytes: cause.maxResponseBytes })
    }
    const what = UNDECODED.test(systemCode ?? '')
      ? 'could not decode the content encoding of the response'
      : maybeSent
        ? 'lost its connection'
        : `could not connect to ${new URL(this.#call.root).host}`
    const message = isBlockedPort(cause)
      ? `was not sent: fetch blocks the port of ${new URL(this.#call.root).host}; use another port or nodeTransport()`
      : isUnexpectedContinue(cause)
        ? 'received an unrequested "100 Continue", which undici and fetch reject; use nodeTransport()'
        : `${what}${systemCode ? ` (${systemCode})` : ''}`
    return new ConnectionError(
      `${this.#where} ${message}.`,
      { ...this.#facts, maybeSent, systemCode },
      { cause: safeCause(cause, apiKey) },
    )
  }

  #outOfBudget(): RateLimitError | TimeoutError {
    const { totalTimeoutMs: timeoutMs } = this.#call.limits
    const waitMs = this.#budget.nextAt(this.#claim.perMinute) - this.#startedAt
    const rest = `within totalTimeoutMs; retry in ${Math.ceil(waitMs / 1000)} s.`
    if (this.#startedAt >= this.#budget.heldUntil)
      return new TimeoutError(`${this.#where} got no slot in the rate budget ${rest}`, {
        ...this.#facts,
        timeoutMs,
        scope: 'total',
      })
    return new RateLimitError({
      ...this.#facts,
      status: 429,
      code: 'rate_limited',
      reason: `an earlier 429 allows no request ${rest}`,
      headers: new Headers(),
      envelope: false,
      retryAfterMs: waitMs,
    })
  }
}

/** Result of an attempt that the caller did not abort. */
type Failed = Exclude<Outcome, { kind: 'aborted' }>

function retryFactsOf(outcome: Failed, now: number): RetryFacts {
  if (outcome.kind !== 'response') return outcome
  const { status, headers } = outcome.response
  const retryAfterMs = (status === 429 ? rateLimitWaitMs : readRetryAfterMs)(headers, now)
  return { kind: 'response', status, retryAfterMs }
}
