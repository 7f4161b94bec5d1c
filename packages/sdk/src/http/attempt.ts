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
  const { clock, timeoutMs, totalLeftMs, signal } = limits
  if (signal?.aborted) return Promise.resolve({ kind: 'aborted' })
  return new Promise((resolve) => {
    const sent = new AttemptRequest(request)
    const end = (outcome: Outcome): void => {
      cancelTimer?.()
      signal?.removeEventListener('abort', onAbort)
      resolve(outcome)
    }
    const stop = (outcome: Outcome): void => {
      end(outcome)
      sent.abort()
    }
    const onAbort = (): void => stop({ kind: 'aborted' })
    const total = totalLeftMs < timeoutMs
    const limitMs = total ? totalLeftMs : timeoutMs
    const cancelTimer = Number.isFinite(limitMs)
      ? clock.setTimer(() => stop({ kind: 'timeout', timeoutMs: limitMs, total }), Math.max(0, limitMs))
      : undefined
    signal?.addEventListener('abort', onAbort)
    const fail = (error: unknown): void => end({ kind: 'connection', error, ...classifyFailure(error) })
    try {
      transport(sent).then((response) => end({ kind: 'answer', response }), fail)
    } catch (error) {
      fail(error)
    }
  })
}

/** The request as a transport gets it: its signal is made only for those that ask for it. */
class AttemptRequest implements TransportRequest {
  declare readonly method: string
  declare readonly url: string
  declare readonly headers: Record<string, string>
  declare readonly body: string | undefined
  readonly #listeners: (() => void)[] = []
  #controller: AbortController | undefined
  #aborted = false

  constructor(request: OutgoingRequest) {
    Object.assign(this, request)
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      this.onAbort(() => this.#controller?.abort())
    }
    return this.#controller.signal
  }

  onAbort(listener: () => void): void {
    if (this.#aborted) listener()
    else this.#listeners.push(listener)
  }

  abort(): void {
    this.#aborted = true
    for (const listener of this.#listeners) listener()
  }
}
