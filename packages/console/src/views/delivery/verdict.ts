import { DELIVERY_ATTEMPTS } from '@formwire/contract'
import type { DeliveryAttempt, DeliveryDetail } from '@formwire/contract/control'
import { explainError } from '@formwire/internal/attempt-errors'
import { duration, span } from '../../format.ts'
import { firstWords } from './outcome.ts'

const TIMES = ['', '', ' twice', ' three times', ' four times', ' five times', ' six times']

/** Returns why attempts failed, in their order: `500, then connection refused twice`. */
function causesOf(attempts: readonly DeliveryAttempt[]): string {
  const runs: [cause: string, times: number][] = []
  for (const { error } of attempts) {
    if (error === null) continue
    const [explained = ''] = explainError(error).split(/[.:]/, 1)
    const cause = /^http_(.+)/.exec(error)?.[1] ?? explained.charAt(0).toLowerCase() + explained.slice(1)
    const last = runs.at(-1)
    if (last?.[0] === cause) last[1]++
    else runs.push([cause, 1])
  }
  return runs.map(([cause, times]) => `${cause}${TIMES[times] ?? ` ${times} times`}`).join(', then ')
}

/** Returns when the next attempt is, or why there is none. */
function nextOf({ status, attempts, next_attempt_at: due, note }: Facts, now: number): string {
  const made = attempts.length
  if (status === 'failed') {
    const end =
      made === DELIVERY_ATTEMPTS
        ? 'No attempts left.'
        : `Stopped after ${made} of ${DELIVERY_ATTEMPTS} attempts.`
    return [made === 0 ? 'Not sent.' : end, note].filter(Boolean).join(' ')
  }
  if (status === 'delivered' || due === null) return ''
  const wait = Date.parse(due) - now
  if (wait <= 0) return made === 0 ? 'The first attempt is in flight.' : `Attempt ${made + 1} is in flight.`
  return `${made === 0 ? 'First' : 'Next'} try in ${span(wait)}.`
}

type Facts = Pick<DeliveryDetail, 'status' | 'attempts' | 'next_attempt_at' | 'note'>

/**
 * Returns what a delivery came to: `503 three times`, the words of the receiver in its last response if that failed, and what
 * comes next: `Next try in 22 min.`
 *
 * @param now By the server's clock.
 */
export function verdictOf(delivery: Facts, now: number): { outcome: string; quote: string; next: string } {
  const { status, attempts } = delivery
  const last = attempts.at(-1)
  const causes = causesOf(attempts)
  const next = nextOf(delivery, now)
  if (status !== 'delivered' || !last) {
    const outcome = causes.charAt(0).toUpperCase() + causes.slice(1)
    return { outcome, quote: firstWords(last?.receiver_answer ?? ''), next }
  }
  const at = attempts.length === 1 ? 'the first attempt' : `attempt ${attempts.length}`
  const outcome = `Delivered at ${at}: ${last.http_status} in ${duration(last.duration_ms)}`
  return { outcome: causes === '' ? outcome : `${outcome}, after ${causes}`, quote: '', next }
}
