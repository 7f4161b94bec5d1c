import { type ReadonlySignal, signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { CallError } from '../api.ts'

/** Data of the server that a view shows. Keeps its data while it reloads. */
export interface Resource<Data> {
  readonly data: ReadonlySignal<Data | undefined>
  /** Error message if the latest load failed. */
  readonly error: ReadonlySignal<string | undefined>
  /** HTTP status if the latest load failed; 0 if the server could not be reached. */
  readonly status: ReadonlySignal<number | undefined>
  /**
   * Starts a new load, for use after a change, when a load in flight may be older. Of overlapping loads, the one started last
   * counts, and all resolve with it. Never rejects.
   */
  refresh(): Promise<void>
  /** Loads, or joins a load in flight. */
  freshen(): Promise<void>
  clear(): void
}

export function resource<Data>(load: () => Promise<Data>): Resource<Data> {
  const data = signal<Data | undefined>(undefined)
  const error = signal<string | undefined>(undefined)
  const status = signal<number | undefined>(undefined)
  /** The load in flight that counts. */
  let current: Promise<void> | undefined

  const refresh = (): Promise<void> => {
    const turn: Promise<void> = attempt().then((settle) => {
      if (current !== turn) return current
      settle()
      current = undefined
      return undefined
    })
    current = turn
    return turn
  }
  /** Loads, and returns a function that applies the outcome. */
  const attempt = async (): Promise<() => void> => {
    try {
      const loaded = await load()
      return () => {
        data.value = loaded
        error.value = undefined
        status.value = undefined
      }
    } catch (cause) {
      if (!(cause instanceof CallError)) console.error(cause)
      const text =
        cause instanceof CallError ? cause.message : 'Something went wrong in the console. Reload the page.'
      return () => {
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
    refresh,
    freshen,
    clear() {
      current = undefined
      data.value = undefined
      error.value = undefined
      status.value = undefined
    },
  }
}

/** Returns the data of a component, which begins again when its path in the control API changes. */
export const useResource = <Data>(load: (path: string) => Promise<Data>, path: string): Resource<Data> =>
  useMemo(() => resource(() => load(path)), [path])
