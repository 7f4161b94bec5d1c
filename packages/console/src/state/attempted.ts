import { LIMITS } from '@formwire/contract'
import type { Delivery } from '@formwire/contract/control'
import { effect } from '@preact/signals'
import { deliveryLog } from './deliveries.ts'

/** Time after which an attempt that was asked for is reported as sent, and time for which its result is waited for. */
const SOON_MS = 1_000
const RESULT_MS = 2 * LIMITS.deliveryTimeoutMs

/**
 * Resolves with deliveries once each of them has ended another attempt. After some time, resolves with those that have.
 *
 * @param attemptsBefore Number of attempts that each has had, by id. A new delivery has had none.
 * @param onWait Called if that takes longer than a moment. What it returns is called at the end of the wait.
 */
export async function attempted(
  attemptsBefore: ReadonlyMap<string, number>,
  onWait: () => () => void,
): Promise<readonly Delivery[]> {
  const soon = await attemptedWithin(attemptsBefore, SOON_MS)
  if (soon.length === attemptsBefore.size) return soon
  const onEnd = onWait()
  const ended = await attemptedWithin(attemptsBefore, RESULT_MS)
  onEnd()
  return ended
}

function attemptedWithin(
  attemptsBefore: ReadonlyMap<string, number>,
  withinMs: number,
): Promise<readonly Delivery[]> {
  const ended = (): Delivery[] =>
    [...attemptsBefore].flatMap(([id, before]) => {
      const delivery = deliveryLog.get(id)
      return delivery && delivery.attempts > before ? [delivery] : []
    })
  return new Promise((resolve) => {
    const stop = effect(() => {
      // The effect may run before `stop` is assigned.
      if (ended().length === attemptsBefore.size) queueMicrotask(() => end())
    })
    const timer = setTimeout(() => end(), withinMs)
    const end = (): void => {
      stop()
      clearTimeout(timer)
      resolve(ended())
    }
  })
}
