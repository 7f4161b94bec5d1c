import type { Context } from '../context.ts'
import { spanText } from './time.ts'

/** Milliseconds between progress lines where there is no terminal. */
const LINE_INTERVAL_MS = 30_000
/** Milliseconds after which the pace says something about the rest. */
const PACE_AFTER_MS = 1_000
/** Milliseconds over which the pace is measured: the window of a rate limit. */
const PACE_WINDOW_MS = 60_000

/** Reports how far long work is: as a bar on the status line of a terminal. */
export class Progress {
  /** How many are done. */
  count: number
  /** How many there are, as far as it is known. */
  total: number
  readonly #context: Pick<Context, 'output' | 'runtime'>
  readonly #nouns: string
  readonly #over = new AbortController()
  #phase = ''
  /** Earlier counts, about one per second of the window. */
  readonly #past: { at: number; count: number }[]

  /** @param count how many an earlier run has done */
  constructor(context: Pick<Context, 'output' | 'runtime'>, nouns: string, total: number, count = 0) {
    this.#context = context
    this.#nouns = nouns
    this.total = total
    this.count = count
    this.#past = [{ at: context.runtime.clock.now(), count }]
  }

  /** Prints a line from time to time where there is no terminal. */
  printLines(intervalMs = LINE_INTERVAL_MS): void {
    const { output, runtime } = this.#context
    const over = AbortSignal.any([runtime.stop, this.#over.signal])
    const print = async (): Promise<void> => {
      while (!over.aborted) {
        await runtime.clock.sleep(intervalMs, over)
        output.announce('progress', this.#phase || this.#texts()[0], { count: this.count, total: this.total })
      }
    }
    if (!output.showsProgress && !output.quiet) print().catch(() => undefined)
  }

  /** Shows a text in place of the bar until that is shown again. */
  say(text: string): void {
    this.#phase = text
    this.#context.output.progress(text)
  }

  /** Updates the bar. @param detail what it is about at the moment */
  show(count = this.count, detail = ''): void {
    this.count = count
    this.#phase = ''
    const { output } = this.#context
    if (this.total > 0) output.progress(this.#texts(detail), count / Math.max(this.total, count))
  }

  /** Removes the bar. */
  end(): void {
    this.#over.abort()
    this.#context.output.clearProgress()
  }

  /** Returns the text for a line, and shorter ones for narrow terminals: the time left matters most beside the count. */
  #texts(detail = ''): [longest: string, ...shorter: string[]] {
    const { count } = this
    const all = Math.max(this.total, count)
    const percent = Math.floor((100 * count) / Math.max(1, all))
    const head = `${grouped(count)} of ${grouped(all)} ${this.#nouns} (${percent}%)`
    const perMs = this.#pace()
    const pace = perMs > 0 ? `${grouped(Number((perMs * 60_000).toPrecision(3)))}/min` : ''
    const left = perMs > 0 && count < all ? `${spanText(rounded((all - count) / perMs))} left` : ''
    const text = (...parts: string[]): string => parts.filter((part) => part !== '').join(' · ')
    return [text(head, pace, left, detail), text(head, pace, left), text(head, left), head]
  }

  /** Returns how many are done per millisecond; 0 before that says anything. */
  #pace(): number {
    const now = this.#context.runtime.clock.now()
    if (now - (this.#past.at(-1)?.at ?? 0) >= PACE_AFTER_MS) this.#past.push({ at: now, count: this.count })
    while (this.#past.length > 2 && now - (this.#past[1]?.at ?? now) >= PACE_WINDOW_MS) this.#past.shift()
    const { at, count } = this.#past[0] ?? { at: now, count: this.count }
    return now - at < PACE_AFTER_MS ? 0 : (this.count - count) / (now - at)
  }
}

/** Returns a length of time without the digits that only flicker: minutes from ten of them, else seconds. */
function rounded(ms: number): number {
  const step = ms >= 600_000 ? 60_000 : ms >= 60_000 ? 10_000 : 1_000
  return Math.ceil(ms / step) * step
}

/** Returns a count for people, such as `3,257 responses`. @param many the plural. @default the noun with an s */
export function countOf(count: number, noun: string, many = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : many}`
}

/** Returns a number with a comma between thousands. Without `Intl`, which takes milliseconds to load. */
export function grouped(number: number): string {
  return String(number).replace(/(?<!\.\d*)\B(?=(?:\d{3})+(?!\d))/g, ',')
}
