import { CheckpointError } from '../errors/client-errors.ts'
import type { PollState } from './checkpoint.ts'
import { compareInstants, earlierBy, type Instant, parseInstant } from './instant.ts'

/** Maximum number of ids kept. More is an error, since dropping an id could repeat or lose a response. */
const MAX_IDS = 100_000

/** Ids yielded at one instant. */
interface Group {
  /** The instant in the spelling of the service. */
  text: string
  at: Instant
  ids: Set<number>
}

/** Position of a poll: the newest instant yielded, and the yielded ids that the service will list again. */
export class Cursor {
  readonly #lookbackMs: number
  readonly #maxIds: number
  /** Groups within the window, oldest first. The last one is at the newest instant. */
  #groups: Group[] = []
  #yielded = new Set<number>()

  /** @param lookbackMs milliseconds before the newest instant for which ids are kept. */
  constructor(lookbackMs: number, maxIds: number = MAX_IDS) {
    this.#lookbackMs = lookbackMs
    this.#maxIds = maxIds
  }

  /** Newest instant yielded, in the spelling of the service; `undefined` before the first response. */
  get since(): string | undefined {
    return this.#groups.at(-1)?.text
  }

  /** Newest instant yielded. */
  get at(): Instant | undefined {
    return this.#groups.at(-1)?.at
  }

  /** `since` minus the lookback: the value to send to the service. */
  get sinceWithLookback(): string | undefined {
    const { at } = this
    return at && this.#lookbackMs > 0 ? earlierBy(at, this.#lookbackMs) : this.since
  }

  /** Number of ids kept. */
  get size(): number {
    return this.#yielded.size
  }

  /** Whether a response was yielded. `at` is its instant. */
  has(id: number, at: Instant): boolean {
    if (this.#yielded.has(id)) return true
    // Everything before the window was yielded. The service lists it because the requested `since` is rounded down.
    const newest = this.at
    return newest !== undefined && compareInstants(at, this.#windowStart(newest)) < 0
  }

  /** Makes room for one more id. @throws CheckpointError if there is none. */
  assertRoom(at: Instant): void {
    const newest = this.at
    if (this.#yielded.size < this.#maxIds || !newest) return
    if (this.#lookbackMs === 0 && compareInstants(at, newest) > 0) return
    this.#prune(compareInstants(at, newest) > 0 ? at : newest)
    if (this.#yielded.size < this.#maxIds) return
    throw new CheckpointError(
      `More than ${this.#maxIds} responses at ${this.since}; start later or lower lookbackMs.`,
    )
  }

  /** Adds a response that the consumer has handled. */
  add(id: number, text: string, at: Instant): void {
    this.#yielded.add(id)
    // From the newest group, where all but late rows belong.
    const index = this.#groups.findLastIndex((group) => compareInstants(group.at, at) <= 0)
    const group = this.#groups[index]
    if (group && compareInstants(group.at, at) === 0) {
      group.ids.add(id)
      return
    }
    this.#groups.splice(index + 1, 0, { text, at, ids: new Set([id]) })
    this.#prune(this.at as Instant)
  }

  /** Returns the state to save, or `undefined` before the first response. */
  toState(): PollState | undefined {
    const newest = this.#groups.at(-1)
    if (!newest) return undefined
    const earlier = this.#groups.slice(0, -1).map(({ text, ids }): [string, number[]] => [text, [...ids]])
    return {
      version: 1,
      since: newest.text,
      ids: [...newest.ids],
      ...(earlier.length > 0 ? { earlier } : {}),
    }
  }

  /** Restores a saved state. `place` names it in the error. @throws CheckpointError if it is invalid. */
  restore(state: PollState, place: string): void {
    this.#groups = []
    this.#yielded = new Set()
    try {
      const { version, since, ids, earlier = [] } = state
      for (const [text, yielded] of [...earlier, [since, ids] as const]) {
        const at = typeof text === 'string' && parseInstant(text)
        const follows = at && (!this.at || compareInstants(this.at, at) < 0)
        if (version !== 1 || !follows || !yielded.every(Number.isSafeInteger)) throw new TypeError()
        this.#groups.push({ text, at, ids: new Set(yielded) })
        for (const id of yielded) this.#yielded.add(id)
      }
    } catch {
      throw new CheckpointError(
        `The checkpoint ${place} is damaged or not version 1; remove it to start over.`,
      )
    }
  }

  #windowStart(newest: Instant): Instant {
    if (this.#lookbackMs === 0) return newest
    return parseInstant(earlierBy(newest, this.#lookbackMs)) as Instant
  }

  /** Drops the groups before the window that ends at `newest`, except for the newest group. */
  #prune(newest: Instant): void {
    const start = this.#windowStart(newest)
    let dropped = 0
    while (dropped < this.#groups.length - 1) {
      const group = this.#groups[dropped] as Group
      if (compareInstants(group.at, start) >= 0) break
      for (const id of group.ids) this.#yielded.delete(id)
      dropped += 1
    }
    if (dropped > 0) this.#groups.splice(0, dropped)
  }
}
