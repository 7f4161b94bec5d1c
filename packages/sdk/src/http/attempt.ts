import type { Clock } from '@formwire/internal/clock'
import { onAbort } from '@formwire/internal/on-abort'
import { classifyFailure, type Failure } from './classify-failure.ts'
import type { Transport, TransportRequest, TransportResponse } from './transport.ts'

/** Result of one attempt. */
export type Outcome =
  | { kind: 'response'; response: TransportResponse }
  | ({ kind: 'connection' } & Failure)
  /** `total`: the deadline of the whole call expired, not that of the attempt. */
  | { kind: 'timeout'; total: boolean }
  | { kind: 'aborted' }

/** Request and limits of one attempt. */
export interface AttemptPlan extends Omit<TransportRequest, 'signal' | 'onAbort'> {
  clock: Clock
  /** Milliseconds until the attempt times out, including its response body. */
  timeoutMs: number
  /** Milliseconds left for the whole call. */
  totalLeftMs: number
  signal: AbortSignal | undefined
}

/** Calls the transport once, with a deadline. Never rejects, and does not rely on the transport to observe its signal. */
export function attempt(transport: Transport, plan: AttemptPlan): Promise<Outcome> {
  if (plan.signal?.aborted) return Promise.resolve({ kind: 'aborted' })
  return new Promise((resolve) => new Attempt(plan, resolve).start(transport))
}

/** An attempt in flight, as passed to the transport. Creates its signal only when a transport reads it. */
class Attempt implements TransportRequest {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string | undefined
  readonly maxResponseBytes: number
  readonly #plan: AttemptPlan
  readonly #resolve: (outcome: Outcome) => void
  #cancelTimer: (() => void) | undefined
  #ignoreAbort: (() => void) | undefined
  readonly #listeners: (() => void)[] = []
  #controller: AbortController | undefined
  #aborted = false

  constructor(plan: AttemptPlan, resolve: (outcome: Outcome) => void) {
    this.method = plan.method
    this.url = plan.url
    this.headers = plan.headers
    this.body = plan.body
    this.maxResponseBytes = plan.maxResponseBytes
    this.#plan = plan
    this.#resolve = resolve
  }

  start(transport: Transport): void {
    const { clock, timeoutMs, totalLeftMs, signal } = this.#plan
    const total = totalLeftMs < timeoutMs
    const limitMs = total ? totalLeftMs : timeoutMs
    if (Number.isFinite(limitMs)) {
      const expire = (): void => this.#stop({ kind: 'timeout', total })
      this.#cancelTimer = clock.setTimer(expire, Math.max(0, limitMs))
    }
    this.#ignoreAbort = onAbort(signal, () => this.#stop({ kind: 'aborted' }))
    const fail = (error: unknown): void => this.#end({ kind: 'connection', ...classifyFailure(error) })
    try {
      transport(this).then((response) => this.#end({ kind: 'response', response }), fail)
    } catch (error) {
      fail(error)
    }
  }

  #end(outcome: Outcome): void {
    this.#cancelTimer?.()
    this.#ignoreAbort?.()
    this.#resolve(outcome)
  }

  #stop(outcome: Outcome): void {
    this.#end(outcome)
    this.#aborted = true
    for (const listener of this.#listeners) listener()
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    const controller = this.#controller
    this.onAbort(() => controller.abort())
    return controller.signal
  }

  onAbort(listener: () => void): void {
    if (this.#aborted) listener()
    else this.#listeners.push(listener)
  }
}
