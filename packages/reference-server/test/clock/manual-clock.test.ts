import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { InvalidSpanError, ManualClock } from '../../src/clock/index.ts'

const START = Date.UTC(2026, 10, 21, 9, 30)

/** Work that takes several turns of the event loop. */
async function later(): Promise<void> {
  for (let turns = 0; turns < 5; turns += 1) await turn()
}

describe('ManualClock', () => {
  it('runs every due alarm in order, each at its instant', async () => {
    const clock = new ManualClock(START)
    const woken: [string, number][] = []
    const note = (name: string) => () => woken.push([name, clock.now() - START])
    clock.wakeAt(START + 3_000, note('c'))
    clock.wakeAt(START + 1_000, note('a'))
    clock.wakeAt(START + 3_000, note('d'))
    clock.wakeAt(START + 2_000, note('b'))
    clock.wakeAt(START + 10_001, note('later'))
    await clock.advance('10s')
    expect(woken).toEqual([
      ['a', 1_000],
      ['b', 2_000],
      ['c', 3_000],
      ['d', 3_000],
    ])
  })

  it('runs alarms that become due within the span', async () => {
    const clock = new ManualClock(START)
    const instants: number[] = []
    const again = (): void => {
      instants.push(clock.now() - START)
      clock.wakeAt(clock.now() + 60_000, again)
    }
    clock.wakeAt(START + 60_000, again)
    await clock.advance('3m')
    expect(instants).toEqual([60_000, 120_000, 180_000])
  })

  it('stays at an instant until the work started there has ended', async () => {
    const clock = new ManualClock(START)
    const seen: number[] = []
    clock.wakeAt(START + 1_000, () => {
      void clock.track(
        later().then(() => {
          seen.push(clock.now() - START)
        }),
      )
    })
    clock.wakeAt(START + 2_000, () => seen.push(clock.now() - START))
    await clock.advance('5s')
    expect(seen).toEqual([1_000, 2_000])
  })

  it('cancels an alarm, also one of the current instant', async () => {
    const clock = new ManualClock(START)
    const woken: string[] = []
    const cancelNow = clock.wakeAt(START, () => woken.push('now'))
    let cancelSecond = (): void => {}
    clock.wakeAt(START + 1_000, () => {
      woken.push('first')
      cancelSecond()
    })
    cancelSecond = clock.wakeAt(START + 1_000, () => woken.push('second'))
    cancelNow()
    await clock.advance('1s')
    expect(woken).toEqual(['first'])
  })

  it('runs concurrent advances one after the other', async () => {
    const clock = new ManualClock(START)
    const instants: number[] = []
    for (const seconds of [30, 90, 150])
      clock.wakeAt(START + seconds * 1_000, () => instants.push(clock.now() - START))
    await Promise.all([clock.advance('1m'), clock.advance('1m'), clock.advance('1m')])
    expect(instants).toEqual([30_000, 90_000, 150_000])
    expect(clock.now()).toBe(START + 180_000)
  })

  it('accepts an advance from within an alarm', async () => {
    const clock = new ManualClock(START)
    let inner: Promise<void> | undefined
    clock.wakeAt(START + 1_000, () => {
      inner = clock.advance('1h')
    })
    await clock.advance('1m')
    await inner
    expect(clock.now()).toBe(START + 3_660_000)
  })

  it('continues after a refused advance, and after work that fails', async () => {
    const clock = new ManualClock(START)
    await expect(clock.advance(-1)).rejects.toThrow(InvalidSpanError)
    await expect(clock.advance('9000000d')).rejects.toThrow('after the year 9999')
    clock.track(later().then(() => Promise.reject(new Error('broken')))).catch(() => {})
    await clock.advance('1s')
    expect(clock.now()).toBe(START + 1_000)
  })

  it('runs alarms that are due after it was set', async () => {
    const clock = new ManualClock(START)
    let woken = 0
    clock.wakeAt(START + 60_000, () => {
      woken += 1
    })
    clock.set(START + 120_000)
    await clock.idle()
    expect([woken, clock.now()]).toEqual([1, START + 120_000])
  })
})
