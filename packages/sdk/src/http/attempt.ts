import type { Clock } from '../clock.ts'
import { classifyFailure, type Failure } from './classify-failure.ts'
import type { Transport, TransportRequest, TransportResponse } from './transport.ts'

/** How one attempt ended. */
export type Outcome =
  | { kind: 'answer'; response: TransportResponse }
  | ({ kind: 'connection'; error: unknown } & Failure)
  | { kind: 'timeout'; timeoutMs: number; total: boolean }
  | { kind: 'aborted' }

/** Limits of one attempt. */
export interface AttemptLimits {
  clock: Clock
  /** Deadline of the attempt, its body included, in milliseconds. */
  timeoutMs: number
  /** What is left of the whole call, in milliseconds. */
  totalLeftMs: number
  signal: AbortSignal | undefined
}

/** What is sent in one attempt. */
export type OutgoingRequest = Omit<TransportRequest, 'signal' | 'onAbort'>

/** One transport call under one deadline. Never rejects, and does not depend on the transport to honour its signal. */
export function attempt(
  transport: Transport,
  request: OutgoingRequest,
  limits: AttemptLimits,
): Promise<Outcome> {
  if (limits.signal?.aborted) return Promise.resolve({ kind: 'aborted' })
  return new Promise((resolve) => new Attempt(request, limits, resolve).start(transport))
}

/** An attempt under way, as its transport sees it: its signal is made only for transports that ask for it. */
class Attempt implements TransportRequest {
  // Not defined a second time by the class: V8 would take the slow way for each.
  declare readonly method: string
  declare readonly url: string
  declare readonly headers: Record<string, string>
  declare readonly body: string | undefined
  readonly #limits: AttemptLimits
  readonly #resolve: (outcome: Outcome) => void
  #cancelTimer: (() => void) | undefined
  #onAbort: (() => void) | undefined
  #listeners: (() => void)[] | undefined
  #controller: AbortController | undefined
  #aborted = false

  constructor(request: OutgoingRequest, limits: AttemptLimits, resolve: (outcome: Outcome) => void) {
    this.method = request.method
    this.url = request.url
    this.headers = request.headers
    this.body = request.body
    this.#limits = limits
    this.#resolve = resolve
  }

  start(transport: Transport): void {
    const { clock, timeoutMs, totalLeftMs, signal } = this.#limits
    const total = totalLeftMs < timeoutMs
    const limitMs = total ? totalLeftMs : timeoutMs
    if (Number.isFinite(limitMs)) {
      const expire = (): void => this.#stop({ kind: 'timeout', timeoutMs: limitMs, total })
      this.#cancelTimer = clock.setTimer(expire, Math.max(0, limitMs))
    }
    if (signal) {
      this.#onAbort = () => this.#stop({ kind: 'aborted' })
      signal.addEventListener('abort', this.#onAbort)
    }
    const fail = (error: unknown): void => this.#end({ kind: 'connection', error, ...classifyFailure(error) })
    try {
      transport(this).then((response) => this.#end({ kind: 'answer', response }), fail)
    } catch (error) {
      fail(error)
    }
  }

  #end(outcome: Outcome): void {
    this.#cancelTimer?.()
    if (this.#onAbort) this.#limits.signal?.removeEventListener('abort', this.#onAbort)
    this.#resolve(outcome)
  }

  #stop(outcome: Outcome): void {
    this.#end(outcome)
    this.#aborted = true
    for (const listener of this.#listeners ?? []) listener()
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      const controller = new AbortController()
      this.#controller = controller
      this.onAbort(() => controller.abort())
    }
    return this.#controller.signal
  }

  onAbort(listener: () => void): void {
    if (this.#aborted) listener()
    else if (this.#listeners) this.#listeners.push(listener)
    else this.#listeners = [listener]
  }
}
