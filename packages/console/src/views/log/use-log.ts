import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { deliveryPulse, LIVE_MS, log, showLog } from '../../state/deliveries.ts'
import { useRefreshing } from '../../ui/loading.tsx'

/** Deliveries that are shown at first, and each time that more are asked for. */
const PAGE = 100
/** Pause after a letter until the log is searched. */
const TYPING_MS = 200

/**
 * Returns the newest deliveries that match, as a view shows them while it is open.
 *
 * @param filters As in the query of `GET /_app/deliveries`.
 * @param text What is searched.
 */
export function useLog(filters: string, text = '') {
  const [size, setSize] = useState({ filters, limit: PAGE })
  const limit = size.filters === filters ? size.limit : PAGE
  const parameters = new URLSearchParams(filters)
  if (text) parameters.set('q', text)
  const query = String(parameters)
  const loaded = log.data.value
  // What was found stays while other words are typed. It does not for other filters.
  const shown = loaded?.filters === filters ? loaded : undefined
  const isSearching = shown !== undefined && shown.text !== text && log.error.value === undefined
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    showLog({ filters, text, query, limit })
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    const timer = setTimeout(() => void log.freshen(), isSearching ? TYPING_MS : 0)
    return () => clearTimeout(timer)
  }, [query, limit])
  useRefreshing(log, deliveryPulse, undefined, LIVE_MS)
  return {
    /** `undefined` until they are loaded. */
    rows: shown?.data,
    counts: shown?.meta.counts,
    isSearching,
    /** Loads more of them, if there are. */
    more: shown?.meta.next_cursor ? () => setSize({ filters, limit: limit + PAGE }) : undefined,
  }
}
