import type { SleepClock } from '@formwire/internal/clock'
import { getText } from './send-http.ts'
import { httpUrl } from './target.ts'
import { within } from './timers.ts'

/** The number of responses that the receiver has handled so far: a URL that answers a GET with it as plain text, or a function. */
export type HandledCount = string | URL | (() => number | Promise<number>)

/** Longest time by which a count may follow the response to a delivery. */
export const SETTLE_MS = 2_000
const READ_MS = 5_000

/** Reads the count. */
export type ReadCount = () => Promise<number>

/** @throws WebhookVerificationError code "invalid_option" */
export function countReader(handled: HandledCount, clock: SleepClock): ReadCount {
  if (typeof handled === 'function') return async () => countOf(await handled())
  const url = httpUrl('handled', handled)
  return async () => {
    const text = await within(clock, READ_MS, (signal) =>
      // A plain error: only the receiver itself counts as unreachable.
      getText(url, signal).catch(({ message }: Error) => {
        throw new Error(message.endsWith('.') ? message.slice(0, -1) : message)
      }),
    )
    if (text === undefined) throw new Error(`no response within ${READ_MS / 1000} s`)
    return countOf(/^\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN)
  }
}

function countOf(count: number): number {
  if (Number.isSafeInteger(count) && count >= 0) return count
  throw new Error('it is not a whole number as plain text')
}
