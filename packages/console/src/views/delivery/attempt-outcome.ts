import type { Delivery } from '@formwire/contract/control'
import { duration, span } from '../../format.ts'
import { serverNow } from '../../state/clock.ts'
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
