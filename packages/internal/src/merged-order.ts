/**
 * Merges sequences that each leave out some items, such as the questions of responses, into one order that fits all of them. Inserting
 * each new item after its predecessor would not: items that no early sequence has together end up mixed. Where sequences
 * contradict each other, those that were added first win.
 */
export class MergedOrder {
  /** For each item, those that directly follow it, with the number of the first sequence in which they do. */
  readonly #followers = new Map<string, Map<string, number>>()
  /** Each item after its first predecessor: decides between orders that fit equally well. */
  readonly #inserted: string[] = []
  #sequences = 0
  #merged: readonly string[] | undefined

  /** Adds a sequence of different items. */
  add(items: readonly string[]): void {
    this.#sequences += 1
    let previous: string | undefined
    for (const item of items) {
      if (!this.#followers.has(item)) this.#insert(item, previous)
      const followers = previous === undefined ? undefined : this.#followers.get(previous)
      if (followers && !followers.has(item)) {
        followers.set(item, this.#sequences)
        this.#merged = undefined
      }
      previous = item
    }
  }

  /** Number of items. */
  get size(): number {
    return this.#inserted.length
  }

  has(item: string): boolean {
    return this.#followers.has(item)
  }

  /** The items of all sequences, in order. */
  get all(): readonly string[] {
    this.#merged ??= this.#merge()
    return this.#merged
  }

  #insert(item: string, previous: string | undefined): void {
    this.#inserted.splice(previous === undefined ? 0 : this.#inserted.indexOf(previous) + 1, 0, item)
    this.#followers.set(item, new Map())
    this.#merged = undefined
  }

  #merge(): string[] {
    const left = new Map([...this.#followers].map(([item, followers]) => [item, new Map(followers)]))
    const before = new Map(this.#inserted.map((item) => [item, 0]))
    for (const followers of left.values())
      for (const item of followers.keys()) before.set(item, (before.get(item) ?? 0) + 1)
    const order: string[] = []
    const waiting = [...this.#inserted]
    while (waiting.length > 0) {
      const at = waiting.findIndex((item) => before.get(item) === 0)
      if (at < 0) {
        const [from, to] = contradiction(left)
        left.get(from)?.delete(to)
        before.set(to, (before.get(to) ?? 0) - 1)
        continue
      }
      const [item] = waiting.splice(at, 1) as [string]
      for (const follower of left.get(item)?.keys() ?? [])
        before.set(follower, (before.get(follower) ?? 0) - 1)
      left.delete(item)
      order.push(item)
    }
    return order
  }
}

/** Returns the pair of the latest sequence that is part of a circle. There is one: no item is left without a predecessor. */
function contradiction(left: ReadonlyMap<string, ReadonlyMap<string, number>>): [string, string] {
  const pairs = [...left].flatMap(([from, followers]) =>
    [...followers].map(([to, sequence]) => ({ from, to, sequence })),
  )
  pairs.sort((one, other) => other.sequence - one.sequence)
  for (const { from, to } of pairs) if (reaches(left, to, from)) return [from, to]
  throw new Error('the sequences contain no circle')
}

function reaches(left: ReadonlyMap<string, ReadonlyMap<string, number>>, from: string, to: string): boolean {
  const seen = new Set([from])
  const open = [from]
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (item === to) return true
    for (const follower of left.get(item)?.keys() ?? []) {
      if (seen.has(follower)) continue
      seen.add(follower)
      open.push(follower)
    }
  }
  return false
}
