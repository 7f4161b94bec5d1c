import type { ReadonlySignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Resource } from '../state/resource.ts'

const POLL_MS = 5_000
/** However fast deliveries come, a list is not read more often than this. */
const SHORTEST_MS = 1_500

/** Keeps a view's data fresh while it is looked at: at once, every few seconds, and soon after a delivery. */
export function useRefreshing(resource: Resource<unknown>, pulse?: ReadonlySignal<number>): void {
  useEffect(() => {
    let last = 0
    let soon: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      if (document.visibilityState === 'hidden') return
      last = performance.now()
      void resource.freshen()
    }
    refresh()
    const polling = setInterval(refresh, POLL_MS)
    const stopListening = pulse?.subscribe(() => {
      if (soon !== undefined) return
      soon = setTimeout(
        () => {
          soon = undefined
          refresh()
        },
        Math.max(0, last + SHORTEST_MS - performance.now()),
      )
    })
    return () => {
      clearInterval(polling)
      clearTimeout(soon)
      stopListening?.()
    }
  }, [resource, pulse])
}
