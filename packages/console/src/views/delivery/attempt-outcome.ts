import { LIMITS } from '@formwire/contract'
import { explainError } from '@formwire/internal/attempt-errors'
import { effect } from '@preact/signals'
import { duration, span } from '../../format.ts'
import { serverNow } from '../../state/clock.ts'
import { type Logged, latestOf } from '../../state/deliveries.ts'
import { announce, dismiss, type NoticeAction } from '../../ui/announcer.tsx'

/** Returns what the latest attempt came to: `200 in 71 ms`, or why it failed and when the next one is due. */
export function attemptOutcome({ error, next_attempt_at: next, ...delivery }: Logged): string {
  if (error === null) return `${delivery.http_status} in ${duration(delivery.duration_ms ?? 0)}`
  const now = serverNow.peek()
  const again =
    next === null || now === undefined ? '' : ` Next attempt in ${span(Math.max(0, Date.parse(next) - now))}.`
  return `${explainError(error)}${again}`
}

/** Time after which an attempt that was asked for is reported as sent, and time for which its result is waited for. */
const SOON_MS = 1_000
const RESULT_MS = 2 * LIMITS.deliveryTimeoutMs

/**
 * Resolves with deliveries once each of them has ended another attempt. After some time, resolves with those that have. Shows a notice
 * meanwhile if that takes longer than a moment.
 *
 * @param attemptsBefore Number of attempts that each has had, by id. A new delivery has had none.
 */
export async function attemptedWithNotice(
  attemptsBefore: ReadonlyMap<string, number>,
  text: string,
  action?: NoticeAction,
): Promise<readonly Logged[]> {
  const ended = (): Logged[] =>
    [...attemptsBefore].flatMap(([id, before]) => {
      const delivery = latestOf(id)
      return delivery && delivery.attempts > before ? [delivery] : []
    })
  const isDone = () => ended().length === attemptsBefore.size
  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      const end = () => {
        stop()
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(end, ms)
      // The effect may run before `stop` is assigned.
      const stop = effect(() => {
        if (isDone()) queueMicrotask(end)
      })
    })
  await wait(SOON_MS)
  if (!isDone()) {
    const waiting = announce(text, 'done', action)
    await wait(RESULT_MS)
    dismiss(waiting)
  }
  return ended()
}
