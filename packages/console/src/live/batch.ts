/** Minimum time between two flushes: ten per second look live, and the cost does not grow with the number of events. */
const INTERVAL_MS = 100

/**
 * Collects items and passes them on together, at most ten times per second; the first after a pause immediately. Uses
 * `setTimeout` instead of `requestAnimationFrame`, because a hidden tab has no frames but keeps receiving.
 */
export class Batch<Item> {
  readonly #flush: (items: Item[]) => void
  #items: Item[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #flushedAt = Number.NEGATIVE_INFINITY

  constructor(flush: (items: Item[]) => void) {
    this.#flush = flush
  }

  add(items: readonly Item[]): void {
    if (items.length === 0) return
    this.#items.push(...items)
    const waitMs = Math.max(0, this.#flushedAt + INTERVAL_MS - performance.now())
    this.#timer ??= setTimeout(() => this.flushNow(), waitMs)
  }

  /** Passes the collected items on now. */
  flushNow(): void {
    const items = this.#items
    this.drop()
    if (items.length === 0) return
    this.#flushedAt = performance.now()
    this.#flush(items)
  }

  /** Discards the collected items. */
  drop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#items = []
  }
}
