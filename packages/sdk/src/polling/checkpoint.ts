/** How far a poll has come. Plain JSON; keep it as it is. */
export interface PollState {
  version: 1
  /** Newest instant given to the consumer, as the service wrote it; the next poll passes it as `since` (POLL-01). */
  since: string
  /** Ids already given that the service lists again because `since` is inclusive: those at that instant. */
  ids: number[]
  /** With `lookbackMs`: ids already given at earlier instants inside the window, by instant as the service wrote it. */
  earlier?: [instant: string, ids: number[]][]
}

/** Proof that this poller is the one that runs. */
export interface Lease {
  /** Aborted when the lease is lost: another poller may have taken over. */
  readonly lost: AbortSignal
  /** Saves if the lease still holds. @throws LeaseLostError when it does not. */
  save(key: string, state: PollState): Promise<void>
  /** Gives the lease back, so that another poller may start at once. */
  release(): Promise<void>
}

/** Where a poll keeps its state. `save` replaces the whole state or leaves it as it was. */
export interface CheckpointStore {
  /** The state saved last, or nothing before the first save. */
  load(key: string): Promise<PollState | undefined | null> | PollState | undefined | null
  /** Replaces the state. */
  save(key: string, state: PollState): Promise<void> | void
  /** Waits until no other poller of this key runs. Stores without it leave that to you. Rejects when the signal aborts. */
  acquire?(key: string, signal?: AbortSignal): Promise<Lease>
}

/** A store in memory, the default: a restart of the process starts again from `since`. */
export function memoryCheckpoint(): CheckpointStore {
  const states = new Map<string, PollState>()
  return {
    load: (key) => structuredClone(states.get(key)),
    save: (key, state) => {
      states.set(key, structuredClone(state))
    },
  }
}
