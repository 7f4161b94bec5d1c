import { CheckpointError } from '../errors/checkpoint-error.ts'
import type { PollState } from './checkpoint.ts'
import { compareInstants, earlierBy, type Instant, parseInstant } from './instant.ts'

/** Most ids kept; past it a typed error, since forgetting one could give a response twice or lose it. */
const MAX_IDS = 100_000

/** Ids given at one instant. */
interface Group {
  /** The instant as the service wrote it. */
  text: string
  at: Instant
  ids: Set<number>
}

/** What a poll knows of the responses it has given: the newest instant, and the ids that the service will list again. */
export class Cursor {
  readonly #lookbackMs: number
  readonly #maxIds: number
  /** Groups inside the window, oldest first; the last one is the cursor's own instant. */
  #groups: Group[] = []
  #given = new Set<number>()

  /** @param lookbackMs how far before the newest instant ids are kept, in milliseconds. */
  constructor(lookbackMs: number, maxIds: number = MAX_IDS) {
    this.#lookbackMs = lookbackMs
    this.#maxIds = maxIds
  }

  /** Newest instant given, as the service wrote it; `undefined` before the first. */
  get since(): string | undefined {
    return this.#groups.at(-1)?.text
  }

  /** Newest instant given. */
  get at(): Instant | undefined {
    return this.#groups.at(-1)?.at
  }

  /** `since` reduced by the lookback: from there on the service is asked again. */
  get sinceWithLookback(): string | undefined {
    const { at } = this
    return at && this.#lookbackMs > 0 ? earlierBy(at, this.#lookbackMs) : this.since
  }

  /** Ids kept. */
  get size(): number {
    return this.#given.size
  }

  /** Whether a response has been given; `at` is its instant. */
  has(id: number, at: Instant): boolean {
    if (this.#given.has(id)) return true
    // Before the window everything has been given: the service was only asked more coarsely than it answers.
    const newest = this.at
    return newest !== undefined && compareInstants(at, this.#windowStart(newest)) < 0
  }

  /** Whether one more id fits. @throws CheckpointError when it does not. */
  assertRoom(at: Instant): void {
    const newest = this.at
    if (this.#given.size < this.#maxIds || !newest) return
    if (this.#lookbackMs === 0 && compareInstants(at, newest) > 0) return
    this.#prune(compareInstants(at, newest) > 0 ? at : newest)
    if (this.#given.size < this.#maxIds) return
    throw new CheckpointError(
      `More than ${this.#maxIds} responses at ${this.since}: start later or lower lookbackMs.`,
    )
  }

  /** A response has been given and its handling is done. */
  add(id: number, text: string, at: Instant): void {
    this.#given.add(id)
    // Sought from the newest on: only a late row goes further.
    const place = this.#groups.findLastIndex((group) => compareInstants(group.at, at) <= 0)
    const group = this.#groups[place]
    if (group && compareInstants(group.at, at) === 0) {
      group.ids.add(id)
      return
    }
    this.#groups.splice(place + 1, 0, { text, at, ids: new Set([id]) })
    this.#prune(this.at as Instant)
  }

  /** The state to save: small, since it holds only what the service will list again. */
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

  /** Takes up a saved state. @throws CheckpointError when it is none. */
  restore(state: PollState): void {
    this.#groups = []
    this.#given = new Set()
    const { version, since, ids, earlier = [] } = state
    if (version !== 1 || typeof since !== 'string' || !Array.isArray(ids) || !Array.isArray(earlier)) {
      throw new CheckpointError('The checkpoint is not of version 1: remove it to start again.')
    }
    for (const [text, given] of [...earlier, [since, ids] as const]) {
      const at = parseInstant(text)
      if (!at) throw new CheckpointError(`The checkpoint holds an unreadable instant: ${text}.`)
      this.#groups.push({ text, at, ids: new Set(given) })
      for (const id of given) this.#given.add(id)
    }
  }

  #windowStart(newest: Instant): Instant {
    if (this.#lookbackMs === 0) return newest
    return parseInstant(earlierBy(newest, this.#lookbackMs)) as Instant
  }

  /** Forgets what lies before the window that ends at `newest`; the cursor's own group always stays. */
  #prune(newest: Instant): void {
    const start = this.#windowStart(newest)
    let dropped = 0
    while (dropped < this.#groups.length - 1) {
      const group = this.#groups[dropped] as Group
      if (compareInstants(group.at, start) >= 0) break
      for (const id of group.ids) this.#given.delete(id)
      dropped += 1
    }
    if (dropped > 0) this.#groups.splice(0, dropped)
  }
}
