import { type ReadonlySignal, signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { BROKEN, CallError } from '../api.ts'

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

  const show = (loaded?: Data, message?: string, code?: number): void => {
    current = undefined
    data.value = loaded
    error.value = message
    status.value = code
  }
  const attempt = async (): Promise<Parameters<typeof show>> => {
    try {
      return [await load()]
    } catch (cause) {
      if (cause instanceof CallError) return [data.peek(), cause.message, cause.status]
      console.error(cause)
      return [data.peek(), BROKEN]
    }
  }
  const refresh = (): Promise<void> => {
    const turn: Promise<void> = attempt().then((outcome) => (current === turn ? show(...outcome) : current))
    current = turn
    return turn
  }
  return { data, error, status, refresh, freshen: () => current ?? refresh(), clear: () => show() }
}

/** Returns the data of a component, which begins again when its path in the control API changes. */
export const useResource = <Data>(load: (path: string) => Promise<Data>, path: string): Resource<Data> =>
  useMemo(() => resource(() => load(path)), [path])
