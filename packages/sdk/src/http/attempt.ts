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

/** One transport call under one deadline. Never rejects, and does not depend on the transport to honour its signal. */
export function attempt(
  transport: Transport,
  request: Omit<TransportRequest, 'signal'>,
  { clock, timeoutMs, totalLeftMs, signal }: AttemptLimits,
): Promise<Outcome> {
  if (signal?.aborted) return Promise.resolve({ kind: 'aborted' })
  return new Promise((resolve) => {
    const controller = new AbortController()
    const end = (outcome: Outcome): void => {
      cancelTimer?.()
      signal?.removeEventListener('abort', onAbort)
      resolve(outcome)
    }
    const onAbort = (): void => {
      end({ kind: 'aborted' })
      controller.abort(signal?.reason)
    }
    const total = totalLeftMs < timeoutMs
    const limitMs = total ? totalLeftMs : timeoutMs
    const cancelTimer = Number.isFinite(limitMs)
      ? clock.setTimer(
          () => {
            end({ kind: 'timeout', timeoutMs: limitMs, total })
            controller.abort()
          },
          Math.max(0, limitMs),
        )
      : undefined
    signal?.addEventListener('abort', onAbort)
    const fail = (error: unknown): void => end({ kind: 'connection', error, ...classifyFailure(error) })
    try {
      transport({ ...request, signal: controller.signal }).then(
        (response) => end({ kind: 'answer', response }),
        fail,
      )
    } catch (error) {
      fail(error)
    }
  })
}
