/** A first-in, first-out queue, O(1) at both ends. */
export class Queue<Item> {
  #items: Item[] = []
  #head = 0

  get size(): number {
    return this.#items.length - this.#head
  }

  push(item: Item): void {
    this.#items.push(item)
  }

  shift(): Item | undefined {
    if (this.size === 0) return undefined
    const item = this.#items[this.#head] as Item
    this.#head += 1
    // Release the memory of removed items, but rarely enough to be cheap.
    if (this.#head === this.#items.length || this.#head > 1024 + this.#items.length / 2) {
      this.#items = this.#items.slice(this.#head)
      this.#head = 0
    }
    return item
  }
}
