import { ManualClock } from '../../src/clock/index.ts'
import type { TimeSource } from '../../src/real-timers.ts'

/** Time that passes only when a test says so. */
export interface ManualTime extends TimeSource {
  pass(milliseconds: number): Promise<void>
}

export function manualTime(): ManualTime {
  const clock = new ManualClock(0)
  return {
    now: () => clock.now(),
    wakeAfter: (milliseconds, wake) => clock.wakeAt(clock.now() + milliseconds, wake),
    pass: (milliseconds) => clock.advance(milliseconds),
  }
}
