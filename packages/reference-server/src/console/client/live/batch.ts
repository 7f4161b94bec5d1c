/** Shortest time between two flushes: ten a second is live to the eye, and costs the same at 10 and at 1,000 events. */
const INTERVAL_MS = 100

/**
 * Gathers items and hands them over together, at most ten times a second. `setTimeout` and not `requestAnimationFrame`
 * times it, since a hidden tab has no frames but goes on receiving.
 */
export class Batch<Item> {
  readonly #flush: (items: Item[]) => void
  #items: Item[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(flush: (items: Item[]) => void) {
    this.#flush = flush
  }

  add(items: readonly Item[]): void {
    if (items.length === 0) return
    this.#items.push(...items)
    this.#timer ??= setTimeout(() => this.flushNow(), INTERVAL_MS)
  }

  /** Hands over what was gathered without waiting for its turn. */
  flushNow(): void {
    const items = this.#items
    this.drop()
    if (items.length > 0) this.#flush(items)
  }

  /** Throws away what has not been handed over. */
  drop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#items = []
  }
}
