import { globalClock } from '@formwire/internal/clock'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { within } from '../../../src/testing/receiver-check/timers.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

const never = () => new Promise<never>(() => undefined)
const ended: string[] = []
/** Notes how a promise ends. */
function watch(name: string, promise: Promise<unknown>): void {
  promise.then(
    (value) => ended.push(`${name}: ${value}`),
    (error: Error) => ended.push(`${name} failed: ${error.message}`),
  )
}
beforeEach(() => {
  ended.length = 0
})

describe('within', () => {
  it('returns the result of work that ends in time, and ends the timer', async () => {
    const signals: AbortSignal[] = []
    const work = async (signal: AbortSignal) => {
      signals.push(signal)
      await globalClock.sleep(99)
      return 'done'
    }
    watch('work', within(globalClock, 100, work))
    await vi.advanceTimersByTimeAsync(98)
    expect(signals[0]?.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect([ended, vi.getTimerCount()]).toEqual([['work: done'], 0])
  })

  it('returns nothing once the time is over, and aborts the work', async () => {
    const signals: AbortSignal[] = []
    const work = (signal: AbortSignal) => {
      signals.push(signal)
      return never()
    }
    watch('work', within(globalClock, 100, work))
    await vi.advanceTimersByTimeAsync(99)
    expect([ended, signals[0]?.aborted]).toEqual([[], false])
    await vi.advanceTimersByTimeAsync(1)
    expect([ended, signals[0]?.aborted]).toEqual([['work: undefined'], true])
  })

  it('returns nothing when it is to give up, and aborts the work', async () => {
    const giveUp = new AbortController()
    watch('work', within(globalClock, 100, never, giveUp.signal))
    giveUp.abort()
    await vi.advanceTimersByTimeAsync(0)
    expect([ended, vi.getTimerCount()]).toEqual([['work: undefined'], 0])
  })

  it('passes the failure of the work on', async () => {
    watch(
      'work',
      within(globalClock, 100, () => Promise.reject(new Error('reset'))),
    )
    await vi.advanceTimersByTimeAsync(0)
    expect([ended, vi.getTimerCount()]).toEqual([['work failed: reset'], 0])
  })
})
