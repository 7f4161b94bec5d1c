import { LIMITS } from '@formwire/contract'
import { explainError } from '@formwire/internal/attempt-errors'
import { duration, span } from '../../format.ts'
import { serverNow } from '../../state/clock.ts'
import { deliveriesOf, type Logged } from '../../state/deliveries.ts'
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
const POLL_MS = 200
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
  const ids = [...attemptsBefore.keys()]
  const began = performance.now()
  let waiting: number | undefined
  for (;;) {
    const read = await deliveriesOf(ids).catch(() => [])
    const ended = read.filter(({ id, attempts }) => attempts > (attemptsBefore.get(id) ?? 0))
    const ms = performance.now() - began
    if (ended.length === ids.length || ms > RESULT_MS) {
      if (waiting !== undefined) dismiss(waiting)
      return ended
    }
    if (ms > SOON_MS) waiting ??= announce(text, 'done', action)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
