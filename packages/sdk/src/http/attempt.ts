import type { Clock } from '../clock.ts'
import { classifyFailure, type Failure } from './classify-failure.ts'
import type { Transport, TransportRequest, TransportResponse } from './transport.ts'

/** How one attempt ended. */
export type Outcome =
  | { kind: 'answer'; response: TransportResponse }
  | ({ kind: 'connection'; error: unknown } & Failure)
  /** `total`: it was the limit of the whole call that ran out. */
  | { kind: 'timeout'; total: boolean }
  | { kind: 'aborted' }

/** What is sent in one attempt, and its limits. */
export interface AttemptPlan extends Omit<TransportRequest, 'signal' | 'onAbort'> {
  clock: Clock
  /** Deadline of the attempt, its body included, in milliseconds. */
  timeoutMs: number
  /** What is left of the whole call, in milliseconds. */
  totalLeftMs: number
  signal: AbortSignal | undefined
}

/** One transport call under one deadline. Never rejects, and does not depend on the transport to honour its signal. */
export function attempt(transport: Transport, plan: AttemptPlan): Promise<Outcome> {
  if (plan.signal?.aborted) return Promise.resolve({ kind: 'aborted' })
  return new Promise((resolve) => new Attempt(plan, resolve).start(transport))
}

/** An attempt under way, as its transport sees it: its signal is made only for transports that ask for it. */
class Attempt implements TransportRequest {
  // Not defined a second time by the class: V8 would take the slow way for each.
  declare readonly method: string
  declare readonly url: string
  declare readonly headers: Record<string, string>
  declare readonly body: string | undefined
  readonly #plan: AttemptPlan
  readonly #resolve: (outcome: Outcome) => void
  #cancelTimer: (() => void) | undefined
  readonly #onAbort = (): void => this.#stop({ kind: 'aborted' })
  readonly #listeners: (() => void)[] = []
  #controller: AbortController | undefined
  #aborted = false

  constructor(plan: AttemptPlan, resolve: (outcome: Outcome) => void) {
    this.method = plan.method
    this.url = plan.url
    this.headers = plan.headers
    this.body = plan.body
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
    signal?.addEventListener('abort', this.#onAbort)
    const fail = (error: unknown): void => this.#end({ kind: 'connection', error, ...classifyFailure(error) })
    try {
      transport(this).then((response) => this.#end({ kind: 'answer', response }), fail)
    } catch (error) {
      fail(error)
    }
  }

  #end(outcome: Outcome): void {
    this.#cancelTimer?.()
    this.#plan.signal?.removeEventListener('abort', this.#onAbort)
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
