import type { Clock } from '../clock.ts'
import { Activity } from './activity.ts'
import { InvalidSpanError, parseSpan, type Span } from './span.ts'

/** Longest delay that `setTimeout` takes: 2^31 − 1 ms, some 24.8 days. */
const LONGEST_TIMER_MS = 2_147_483_647

/** The machine's own time. */
export class RealClock implements Clock {
  readonly mode = 'real'
  readonly #activity = new Activity()

  now(): number {
    return Date.now()
  }

  wakeAt(at: number, wake: () => void): () => void {
    let takeBack = (): void => {}
    const arm = (): void => {
      const delay = at - this.now()
      if (delay <= 0) {
        takeBack = this.#activity.inNextTurn(wake)
        return
      }
      // A timer may fire a millisecond early, and a far instant takes more than one timer: look again each time.
      const timer = setTimeout(arm, Math.min(delay, LONGEST_TIMER_MS)).unref()
      takeBack = () => clearTimeout(timer)
    }
    arm()
    return () => takeBack()
  }

  track<Result>(work: Promise<Result>): Promise<Result> {
    return this.#activity.track(work)
  }

  idle(): Promise<void> {
    return this.#activity.idle()
  }

  async advance(by: Span): Promise<void> {
    if (parseSpan(by) > 0) {
      throw new InvalidSpanError('A real clock cannot be advanced: start the server with the manual clock.')
    }
    await this.idle()
  }
}
