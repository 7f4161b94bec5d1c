import { expect, it } from 'vitest'
import { RunningTime } from '../../src/clock/running-time.ts'

it('counts 50 ms of a longer pause', () => {
  let elapsed = 1000
  const time = new RunningTime(() => elapsed)
  const at = [30, 50, 51, 60_000].map((pause) => {
    elapsed += pause
    return time.now()
  })
  expect(at).toEqual([30, 80, 130, 180])
})

it('wakes once after the span, without the pauses, and can be cancelled', async () => {
  let elapsed = 0
  const time = new RunningTime(() => {
    elapsed += 400
    return elapsed
  })
  const woken: number[] = []
  time.wakeAfter(10, () => woken.push(-1))()
  await new Promise<void>((resolve) => {
    time.wakeAfter(175, () => {
      woken.push(elapsed)
      resolve()
    })
  })
  // 400 ms pass between two looks, of which 50 count: one at the start of each wait, then four until 175 are over.
  expect(woken).toEqual([400 + 2 * 400 + 4 * 400])
})
