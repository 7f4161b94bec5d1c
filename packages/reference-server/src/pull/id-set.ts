/** Ids that share an entry: as many as an integer has bits without its sign. */
const PER_ENTRY = 31

/** A set of positive integers. Those that are near to each other share an entry, so that the ids of a million responses take little memory. */
export class IdSet {
  readonly #entries = new Map<number, number>()

  /** Returns false for an id that was there already. */
  add(id: number): boolean {
    if (this.has(id)) return false
    const entry = Math.floor(id / PER_ENTRY)
    this.#entries.set(entry, (this.#entries.get(entry) ?? 0) | (1 << (id % PER_ENTRY)))
    return true
  }

  has(id: number): boolean {
    return ((this.#entries.get(Math.floor(id / PER_ENTRY)) ?? 0) & (1 << (id % PER_ENTRY))) !== 0
  }
}
