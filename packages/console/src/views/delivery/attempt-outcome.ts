import type { Delivery } from '@formwire/contract/control'
import { duration, span } from '../../format.ts'
import { attempted } from '../../state/attempted.ts'
import { serverNow } from '../../state/clock.ts'
import { announce, dismiss, type NoticeAction } from '../../ui/announcer.tsx'
import { explainError } from './attempt-errors.ts'

/** Returns what the latest attempt came to: `200 in 71 ms`, or why it failed and when the next one is due. */
export function attemptOutcome({
  error,
  http_status: status,
  duration_ms: ms,
  next_attempt_at: next,
}: Delivery): string {
  if (error === null) return `${status} in ${duration(ms ?? 0)}`
  const now = serverNow.peek()
  const again =
    next === null || now === undefined ? '' : ` Next attempt in ${span(Math.max(0, Date.parse(next) - now))}.`
  return `${explainError(error)}${again}`
}

/** Waits as `attempted` does, and shows a notice meanwhile if that takes longer than a moment. */
export const attemptedWithNotice = (
  attemptsBefore: ReadonlyMap<string, number>,
  text: string,
  action?: NoticeAction,
): Promise<readonly Delivery[]> =>
  attempted(attemptsBefore, () => {
    const waiting = announce(text, 'done', action)
    return () => dismiss(waiting)
  })
