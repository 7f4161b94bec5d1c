import type { Output } from '../output/output.ts'
import { spanText } from '../output/time.ts'
import type { Runtime } from '../runtime.ts'

/** Milliseconds between progress lines where there is no terminal. */
const LINE_INTERVAL_MS = 30_000
/** Responses between updates on a terminal: one page. */
const UPDATE_EVERY = 100

/** Milliseconds after which the pace says something about the rest. */
const PACE_AFTER_MS = 1_000

/** Reports how far an export is: in place on a terminal, else as a line every 30 s. */
export class ExportProgress {
  readonly #output: Output
  readonly #clock: Runtime['clock']
  readonly #over = new AbortController()
  readonly #startedAt: number
  readonly #startCount: number
  /** Responses that match, as of the start. */
  readonly total: number
  /** Responses that were read. */
  count: number

  /**
   * @param total responses that match, those of an earlier run included
   * @param count responses that an earlier run has exported
   */
  constructor(output: Output, runtime: Pick<Runtime, 'clock' | 'stop'>, total: number, count: number) {
    this.#output = output
    this.#clock = runtime.clock
    this.#startedAt = runtime.clock.now()
    this.#startCount = count
    this.total = total
    this.count = count
    if (!output.showsProgress && !output.quiet) {
      this.#printLines(AbortSignal.any([runtime.stop, this.#over.signal])).catch(() => undefined)
    }
    this.show()
  }

  /** Counts one response. */
  add(): void {
    this.count += 1
    if (this.count % UPDATE_EVERY === 0) this.show()
  }

  /** Updates the status line. */
  show(): void {
    if (this.total > 0) this.#output.progress(this.#text())
  }

  /** Ends the reports. */
  end(): void {
    this.#over.abort()
    this.#output.clearProgress()
  }

  async #printLines(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      await this.#clock.sleep(LINE_INTERVAL_MS, over)
      this.#output.announce('progress', this.#text(), { count: this.count, total: this.total })
    }
  }

  #text(): string {
    const done = this.count - this.#startCount
    const elapsedMs = this.#clock.now() - this.#startedAt
    const total = Math.max(this.total, this.count)
    const parts = [
      `${grouped(this.count)} of ${grouped(total)} responses (${Math.floor((100 * this.count) / total)}%)`,
    ]
    if (done > 0 && elapsedMs >= PACE_AFTER_MS) {
      const perMinute = (done / elapsedMs) * 60_000
      parts.push(
        `${grouped(Math.round(perMinute))}/min`,
        `${spanText(((total - this.count) / perMinute) * 60_000)} left`,
      )
    }
    return parts.join(' · ')
  }
}

/** Returns an integer with a comma between thousands. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
