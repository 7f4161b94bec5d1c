import { type ReadonlySignal, signal } from '@preact/signals'
import { CallError } from '../api.ts'

/** Data of the server that a view shows. It keeps what it has while it asks again. */
export interface Resource<Data> {
  readonly data: ReadonlySignal<Data | undefined>
  /** What to tell the reader when the latest load failed. */
  readonly error: ReadonlySignal<string | undefined>
  readonly loading: ReadonlySignal<boolean>
  /** Loads again. Of overlapping loads the one started last counts. Never rejects. */
  refresh(): Promise<void>
  clear(): void
}

export function resource<Data>(load: () => Promise<Data>): Resource<Data> {
  const data = signal<Data | undefined>(undefined)
  const error = signal<string | undefined>(undefined)
  const loading = signal(false)
  let latest = 0
  return {
    data,
    error,
    loading,
    async refresh() {
      const turn = ++latest
      loading.value = true
      try {
        const loaded = await load()
        if (turn !== latest) return
        data.value = loaded
        error.value = undefined
      } catch (cause) {
        if (turn !== latest) return
        error.value =
          cause instanceof CallError ? cause.message : 'Something in the console broke; reload the page.'
        if (!(cause instanceof CallError)) console.error(cause)
      }
      loading.value = false
    },
    clear() {
      latest++
      data.value = undefined
      error.value = undefined
      loading.value = false
    },
  }
}
