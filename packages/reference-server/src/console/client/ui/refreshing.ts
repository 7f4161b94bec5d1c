import type { ReadonlySignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Resource } from '../state/resource.ts'

const POLL_MS = 5_000
/** However fast deliveries come, a list is not read more often than this. */
const SHORTEST_MS = 1_500
/**
 * What takes long to read is read less often, for a tenth of the time at most: the endpoints of 300 forms are 300
 * requests, and the API's own callers come first.
 */
const REST_PER_READING = 9

/**
 * Keeps a view's data fresh while it is looked at: at once, every few seconds, and soon after a delivery.
 *
 * @param resource `undefined` while there is nothing to keep fresh.
 */
export function useRefreshing(resource: Resource<unknown> | undefined, pulse?: ReadonlySignal<number>): void {
  useEffect(() => {
    if (!resource) return
    let last = 0
    let restsUntil = 0
    let soon: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      if (document.visibilityState === 'hidden') return
      const beganAt = performance.now()
      last = beganAt
      void resource.freshen().then(() => {
        const now = performance.now()
        restsUntil = now + (now - beganAt) * REST_PER_READING
      })
    }
    refresh()
    const polling = setInterval(() => {
      if (performance.now() >= restsUntil) refresh()
    }, POLL_MS)
    const stopListening = pulse?.subscribe(() => {
      if (soon !== undefined) return
      soon = setTimeout(
        () => {
          soon = undefined
          refresh()
        },
        Math.max(0, Math.max(last + SHORTEST_MS, restsUntil) - performance.now()),
      )
    })
    return () => {
      clearInterval(polling)
      clearTimeout(soon)
      stopListening?.()
    }
  }, [resource, pulse])
}
