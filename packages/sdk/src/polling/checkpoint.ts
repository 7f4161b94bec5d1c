/** Position of a poll, as plain JSON. Store it unchanged. */
export interface PollState {
  version: 1
  /** Newest instant yielded, in the spelling of the service. The next request passes it as `since` (POLL-01). */
  since: string
  /** Ids yielded at that instant. The service lists them again because `since` is inclusive. */
  ids: number[]
  /** With `lookbackMs`: ids yielded at earlier instants within the window, by instant. */
  earlier?: [instant: string, ids: number[]][] | undefined
}

/** Exclusive right of one poller to a checkpoint. */
export interface Lease {
  /** Aborted when the lease is lost, after which another poller may take over. */
  readonly lost: AbortSignal
  /** Saves the state. @throws LeaseLostError if the lease is lost. */
  save(key: string, state: PollState): Promise<void>
  /** Releases the lease, so that another poller can start immediately. */
  release(): Promise<void>
}

/**
 * Stores the state of polls. `save` must be atomic: it replaces the state or leaves it unchanged.
 *
 * @example
 * const store: CheckpointStore = {
 *   load: async (key) => (await db.get(key)) as PollState | undefined,
 *   save: (key, state) => db.put(key, state),
 * }
 */
export interface CheckpointStore {
  /** Returns the state saved last, or nothing if there is none. */
  load(key: string): Promise<PollState | undefined | null> | PollState | undefined | null
  /** Replaces the state. */
  save(key: string, state: PollState): Promise<void> | void
  /** Waits until no other poller of this key runs. Without it, you must ensure this. Rejects if the signal aborts. */
  acquire?: ((key: string, signal?: AbortSignal) => Promise<Lease>) | undefined
}

/** Returns a store in memory, the default. After a restart of the process, a poll begins at `since` again. */
export function memoryCheckpoint(): CheckpointStore {
  const states = new Map<string, PollState>()
  return {
    load: (key) => structuredClone(states.get(key)),
    save: (key, state) => {
      states.set(key, structuredClone(state))
    },
  }
}
