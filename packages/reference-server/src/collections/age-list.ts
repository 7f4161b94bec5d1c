import { elapsedTime, type TimeSource } from '../real-timers.ts'

/** The position of an item in the list. */
export interface AgeEntry<Item> {
  readonly item: Item
  readonly due: number
  previous: AgeEntry<Item> | undefined
  next: AgeEntry<Item> | undefined
  listed: boolean
}

/**
 * Reports items that have been in the list for a given time. The time is the same for all, so the oldest item is always
 * the first, and one timer serves any number of items.
 */
export class AgeList<Item> {
  readonly #ageMs: number
  readonly #onAge: (item: Item) => void
  readonly #time: TimeSource
  #first: AgeEntry<Item> | undefined
  #last: AgeEntry<Item> | undefined
  #isArmed = false

  /**
   * @param ageMs Milliseconds after which `onAge` is called, once, and the item leaves the list.
   * @param time @default real time
   */
  constructor(ageMs: number, onAge: (item: Item) => void, time: TimeSource = elapsedTime) {
    this.#ageMs = ageMs
    this.#onAge = onAge
    this.#time = time
  }

  add(item: Item): AgeEntry<Item> {
    const entry: AgeEntry<Item> = {
      item,
      due: this.#time.now() + this.#ageMs,
      previous: this.#last,
      next: undefined,
      listed: true,
    }
    if (this.#last) this.#last.next = entry
    else this.#first = entry
    this.#last = entry
    this.#arm(this.#ageMs)
    return entry
  }

  /** Removes an item early. Does nothing when it has left already. */
  remove(entry: AgeEntry<Item>): void {
    if (!entry.listed) return
    entry.listed = false
    if (entry.previous) entry.previous.next = entry.next
    else this.#first = entry.next
    if (entry.next) entry.next.previous = entry.previous
    else this.#last = entry.previous
    // Unlink it: an old item would otherwise keep all later ones from early garbage collection.
    entry.previous = undefined
    entry.next = undefined
  }

  /** Returns all items, oldest first. */
  items(): Item[] {
    const items: Item[] = []
    for (let entry = this.#first; entry; entry = entry.next) items.push(entry.item)
    return items
  }

  #arm(delayMs: number): void {
    if (this.#isArmed) return
    this.#isArmed = true
    this.#time.wakeAfter(delayMs, () => {
      this.#isArmed = false
      const now = this.#time.now()
      while (this.#first && this.#first.due <= now) {
        const { item } = this.#first
        this.remove(this.#first)
        this.#onAge(item)
      }
      if (this.#first) this.#arm(Math.ceil(this.#first.due - now))
    })
  }
}
