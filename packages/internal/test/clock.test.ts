import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { globalClock } from '../src/clock.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

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

describe('the global clock', () => {
  it('sleeps until the time has passed', async () => {
    expect(globalClock.now()).toBe(1_000)
    const stop = new AbortController()
    watch('plain', globalClock.sleep(100))
    watch('with a signal', globalClock.sleep(100, stop.signal))
    await vi.advanceTimersByTimeAsync(99)
    expect(ended).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(ended).toEqual(['plain: undefined', 'with a signal: undefined'])
    expect([globalClock.now(), getEventListeners(stop.signal, 'abort')]).toEqual([1_100, []])
  })

  it('ends a sleep with the reason of an abort, and leaves no timer', async () => {
    const stop = new AbortController()
    watch('sleep', globalClock.sleep(100, stop.signal))
    stop.abort(new Error('stopped'))
    await vi.advanceTimersByTimeAsync(0)
    expect([ended, vi.getTimerCount()]).toEqual([['sleep failed: stopped'], 0])
    watch('late', globalClock.sleep(100, stop.signal))
    await vi.advanceTimersByTimeAsync(0)
    expect([ended.at(-1), vi.getTimerCount()]).toEqual(['late failed: stopped', 0])
  })
})
