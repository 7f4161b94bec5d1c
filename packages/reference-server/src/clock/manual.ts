import { OrderedMap } from '../collections/ordered-map.ts'
import { requireNextTick } from '../fake-timers.ts'
import { Activity } from './activity.ts'
import type { Clock } from './clock.ts'
import { instantAfter, parseSpan, type Span } from './span.ts'

interface Alarm {
  readonly at: number
  /** Orders the alarms of an instant by when they were set. */
  readonly sequence: number
}

const byInstant = (a: Alarm, b: Alarm): number => a.at - b.at || a.sequence - b.sequence

/** A clock that moves only when it is advanced. */
export class ManualClock extends Activity implements Clock {
  readonly mode = 'manual'
  readonly #alarms = new OrderedMap<Alarm, () => void>(byInstant)
  #now: number
  #sequence = 0
  /** End of the last requested advance, which the next one follows. */
  #lastAdvance: Promise<void> = Promise.resolve()
  /** Counts how often the clock was set. An advance of an earlier era ends. */
  #era = 0

  /** @param now Start, in milliseconds since the epoch. */
  constructor(now: number) {
    super()
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  wakeAt(at: number, wake: () => void): () => void {
    if (at <= this.#now) return this.inNextTurn(wake)
    const alarm = { at, sequence: ++this.#sequence }
    this.#alarms.set(alarm, wake)
    return () => {
      this.#alarms.delete(alarm)
    }
  }

  async advance(by: Span): Promise<void> {
    const milliseconds = parseSpan(by)
    const era = this.#era
    const advance = this.#lastAdvance.then(() => this.#walk(milliseconds, era))
    this.#lastAdvance = advance.catch(() => {})
    return advance
  }

  /**
   * Sets the clock to an instant without stopping in between, for a reset or a restored snapshot. Alarms that are due
   * then run. An advance in progress ends.
   */
  set(now: number): void {
    this.#now = now
    this.#era += 1
    this.inNextTurn(() => this.#wakeDue())
  }

  async #walk(milliseconds: number, era: number): Promise<void> {
    await requireNextTick()
    await this.idle()
    if (era !== this.#era) return
    const target = instantAfter(this.#now, milliseconds)
    for (let next = this.#alarms.at(0); next && next[0].at <= target; next = this.#alarms.at(0)) {
      this.#now = Math.max(this.#now, next[0].at)
      this.#wakeDue()
      // Work of this instant may set alarms for a later one within the span.
      await this.idle()
      if (era !== this.#era) return
    }
    this.#now = Math.max(this.#now, target)
  }

  /** One at a time, since an alarm may cancel another one of the same instant. */
  #wakeDue(): void {
    for (let next = this.#alarms.at(0); next && next[0].at <= this.#now; next = this.#alarms.at(0)) {
      this.#alarms.delete(next[0])
      next[1]()
    }
  }
}
