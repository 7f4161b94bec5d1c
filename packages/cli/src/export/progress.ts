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
  /** Responses that match, as far as it is known. */
  total: number
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
    const text = progressText(this.count, this.total)
    if (done === 0 || elapsedMs < PACE_AFTER_MS) return text
    const perMinute = (done / elapsedMs) * 60_000
    const leftMs = (Math.max(0, this.total - this.count) / perMinute) * 60_000
    return `${text} · ${grouped(Math.round(perMinute))}/min · ${spanText(leftMs)} left`
  }
}

/** Returns how many responses were read: `500 of 1,000 responses (50%)`. */
export function progressText(count: number, total: number): string {
  const all = Math.max(total, count)
  return `${grouped(count)} of ${grouped(all)} responses (${Math.floor((100 * count) / Math.max(1, all))}%)`
}

/** Returns an integer with a comma between thousands. */
export function grouped(number: number): string {
  return number.toLocaleString('en-US')
}
