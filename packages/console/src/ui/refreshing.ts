import type { ReadonlySignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Resource } from '../state/resource.ts'

const POLL_MS = 5_000
/** Time from a reading to the next one after a delivery. Doubles up to `POLL_MS` while deliveries keep arriving. */
const MIN_INTERVAL_MS = 1_500
/**
 * Pause after a reading, as a multiple of its duration, so that slow readings take at most a tenth of the time: a list of thousands
 * of endpoints must not slow down API clients.
 */
const REST_PER_READING = 9

/**
 * Refreshes the data of a visible view: on the first render, every few seconds, and soon after a delivery.
 *
 * @param resource What to refresh, `undefined` if there is nothing. The parts of the catalog in an array share a request. It must be the
 *   same array at each rendering.
 */
export function useRefreshing(
  resource: Resource<unknown> | readonly Resource<unknown>[] | undefined,
  pulse?: ReadonlySignal<number>,
): void {
  useEffect(() => {
    if (!resource) return
    const all = 'freshen' in resource ? [resource] : resource
    let last = 0
    let restsUntil = 0
    let intervalMs = MIN_INTERVAL_MS
    let soon: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      if (document.visibilityState === 'hidden') return
      const beganAt = performance.now()
      last = beganAt
      void Promise.all(all.map((one) => one.freshen())).then(() => {
        const now = performance.now()
        restsUntil = now + (now - beganAt) * REST_PER_READING
      })
    }
    refresh()
    const polling = setInterval(() => {
      if (soon === undefined && performance.now() >= restsUntil) refresh()
    }, POLL_MS)
    const pulseBefore = pulse?.peek()
    const stopListening = pulse?.subscribe((count) => {
      // A subscription begins with the present value: the view has just been read.
      if (soon !== undefined || count === pulseBefore) return
      const waitMs = Math.max(last + intervalMs, restsUntil) - performance.now()
      intervalMs = waitMs > 0 ? Math.min(2 * intervalMs, POLL_MS) : MIN_INTERVAL_MS
      soon = setTimeout(
        () => {
          soon = undefined
          refresh()
        },
        Math.max(0, waitMs),
      )
    })
    return () => {
      clearInterval(polling)
      clearTimeout(soon)
      stopListening?.()
    }
  }, [resource, pulse])
}
