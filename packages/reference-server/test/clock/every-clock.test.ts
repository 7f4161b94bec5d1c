import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { type Clock, ManualClock, RealClock } from '../../src/clock/index.ts'
import { manualTime } from '../delivery/manual-time.ts'
import { fakeableTime } from './fakeable-time.ts'

const DAY_MS = 86_400_000

/** One suite for every implementation: `pass` lets so many milliseconds go by on it. */
const clocks: [string, () => { clock: Clock; pass: (ms: number) => Promise<void> }][] = [
  [
    'manual',
    () => {
      const clock = new ManualClock(Date.UTC(2026, 10, 21))
      return { clock, pass: (ms) => clock.advance(ms) }
    },
  ],
  [
    'real',
    () => {
      const time = manualTime()
      const clock = new RealClock(time)
      return {
        clock,
        pass: async (ms) => {
          await time.pass(ms)
          await clock.idle()
        },
      }
    },
  ],
]

describe.each(clocks)('a %s clock', (mode, make) => {
  it('reports its mode and never runs backwards', async () => {
    const { clock, pass } = make()
    expect(clock.mode).toBe(mode)
    const before = clock.now()
    await pass(5)
    expect(clock.now()).toBeGreaterThanOrEqual(before + 5)
  })

  it('runs each alarm once, at its instant and in order', async () => {
    const { clock, pass } = make()
    const start = clock.now()
    const woken: [string, boolean][] = []
    clock.wakeAt(start + 30, () => woken.push(['second', clock.now() >= start + 30]))
    clock.wakeAt(start + 15, () => woken.push(['first', clock.now() >= start + 15]))
    clock.wakeAt(start + 600_000, () => woken.push(['never', true]))
    await pass(40)
    expect(woken).toEqual([
      ['first', true],
      ['second', true],
    ])
  })

  it('runs an alarm of a past instant, but never synchronously', async () => {
    const { clock } = make()
    const woken: string[] = []
    clock.wakeAt(clock.now() - 1_000, () => woken.push('woken'))
    expect(woken).toEqual([])
    await clock.idle()
    expect(woken).toEqual(['woken'])
  })

  it('cancels an alarm', async () => {
    const { clock, pass } = make()
    const woken: string[] = []
    const cancelDue = clock.wakeAt(clock.now(), () => woken.push('due'))
    const cancelLater = clock.wakeAt(clock.now() + 10, () => woken.push('later'))
    cancelDue()
    cancelLater()
    cancelLater()
    await pass(20)
    expect(woken).toEqual([])
  })

  it.each(['idle', 'advance'] as const)(
    'waits with %s until all work has ended, also that which other work started',
    async (how) => {
      const { clock } = make()
      const ended: string[] = []
      void clock.track(
        turn().then(() => {
          ended.push('first')
          void clock.track(turn().then(() => ended.push('second')))
        }),
      )
      await clock[how](0)
      expect(ended).toEqual(['first', 'second'])
    },
  )

  it('returns the result of tracked work', async () => {
    const { clock } = make()
    await expect(clock.track(Promise.resolve(7))).resolves.toBe(7)
    await expect(clock.track(Promise.reject(new Error('no')))).rejects.toThrow('no')
  })
})

describe('a real clock', () => {
  it("has the machine's time", () => {
    const before = Date.now()
    expect(new RealClock().now()).toBeGreaterThanOrEqual(before)
  })

  it('cannot be advanced', async () => {
    await expect(new RealClock().advance('1s')).rejects.toThrow('A real clock cannot be advanced')
  })

  it('accepts an instant beyond the longest timer', async () => {
    vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    try {
      const clock = new RealClock(fakeableTime)
      const woken: number[] = []
      clock.wakeAt(40 * DAY_MS, () => woken.push(Date.now()))
      vi.advanceTimersByTime(40 * DAY_MS - 1)
      await clock.idle()
      expect(woken).toEqual([])
      vi.advanceTimersByTime(1)
      await clock.idle()
      expect(woken).toEqual([40 * DAY_MS])
    } finally {
      vi.useRealTimers()
    }
  })
})
