import { systemNow, type TimeSource, wakeAfter } from '../real-timers.ts'
import { Activity } from './activity.ts'
import type { Clock } from './clock.ts'
import { InvalidSpanError, parseSpan, type Span } from './span.ts'

/** Maximum delay of `setTimeout`: 2^31 − 1 ms, about 24.8 days. */
const LONGEST_TIMER_MS = 2_147_483_647

const machineTime: TimeSource = { now: systemNow, wakeAfter }

/** The machine's time. */
export class RealClock extends Activity implements Clock {
  readonly mode = 'real'
  readonly #time: TimeSource

  /** @param time @default the machine's time, unaffected by fake timers */
  constructor(time: TimeSource = machineTime) {
    super()
    this.#time = time
  }

  now(): number {
    return this.#time.now()
  }

  wakeAt(at: number, wake: () => void): () => void {
    let cancel = (): void => {}
    const arm = (): void => {
      const delay = at - this.now()
      if (delay <= 0) {
        cancel = this.inNextTurn(wake)
        return
      }
      // A timer may fire a millisecond early, and a distant instant needs several timers, so check each time.
      cancel = this.#time.wakeAfter(Math.min(delay, LONGEST_TIMER_MS), arm)
    }
    arm()
    return () => cancel()
  }

  async advance(by: Span): Promise<void> {
    if (parseSpan(by) > 0) {
      throw new InvalidSpanError(
        'A real clock cannot be advanced; start the server with --clock manual, or in process with clock: "manual".',
      )
    }
    await this.idle()
  }
}
