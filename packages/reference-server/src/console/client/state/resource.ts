import { type ReadonlySignal, signal } from '@preact/signals'
import { CallError } from '../api.ts'

/** Data of the server that a view shows. It keeps what it has while it asks again. */
export interface Resource<Data> {
  readonly data: ReadonlySignal<Data | undefined>
  /** What to tell the reader when the latest load failed. */
  readonly error: ReadonlySignal<string | undefined>
  /** HTTP status of the refusal when the latest load failed; 0 when the server could not be reached. */
  readonly status: ReadonlySignal<number | undefined>
  readonly loading: ReadonlySignal<boolean>
  /**
   * Loads again: after a change, when what is already on its way may be older. Of overlapping loads the one started
   * last counts, and all resolve with it. Never rejects.
   */
  refresh(): Promise<void>
  /** Loads again, or joins a load that is on its way: for whoever only looks. */
  freshen(): Promise<void>
  /** As `freshen`, and gives the data. @throws CallError when it could not be loaded. */
  fresh(): Promise<Data>
  clear(): void
}

export function resource<Data>(load: () => Promise<Data>): Resource<Data> {
  const data = signal<Data | undefined>(undefined)
  const error = signal<string | undefined>(undefined)
  const status = signal<number | undefined>(undefined)
  const loading = signal(false)
  /** Why the latest load failed. */
  let reason: unknown
  /** The load that counts, while there is one. */
  let current: Promise<void> | undefined

  const refresh = (): Promise<void> => {
    const turn: Promise<void> = attempt().then((settle) => {
      if (current !== turn) return current
      settle()
      loading.value = false
      current = undefined
      return undefined
    })
    current = turn
    loading.value = true
    return turn
  }
  /** Loads, and gives what to do with the outcome should it still count then. */
  const attempt = async (): Promise<() => void> => {
    try {
      const loaded = await load()
      return () => {
        data.value = loaded
        reason = undefined
        error.value = undefined
        status.value = undefined
      }
    } catch (cause) {
      if (!(cause instanceof CallError)) console.error(cause)
      const text =
        cause instanceof CallError ? cause.message : 'Something in the console broke; reload the page.'
      return () => {
        reason = cause
        error.value = text
        status.value = cause instanceof CallError ? cause.status : undefined
      }
    }
  }
  const freshen = () => current ?? refresh()
  return {
    data,
    error,
    status,
    loading,
    refresh,
    freshen,
    async fresh() {
      await freshen()
      if (reason !== undefined) throw reason
      // Cleared meanwhile: what was loaded belongs to a state that is gone.
      return data.peek() ?? this.fresh()
    },
    clear() {
      current = undefined
      reason = undefined
      data.value = undefined
      error.value = undefined
      status.value = undefined
      loading.value = false
    },
  }
}
