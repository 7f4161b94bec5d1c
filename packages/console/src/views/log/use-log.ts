import { useState } from 'preact/hooks'
import { deliveriesWith, LIVE_MS } from '../../state/deliveries.ts'
import { useFound } from '../../ui/use-found.ts'

/** Deliveries that are shown at first, and each time that more are asked for. */
const PAGE = 100

/**
 * Returns the newest deliveries that match.
 *
 * @param filters As in the query of `GET /_app/deliveries`.
 * @param text What is searched.
 */
export function useLog(filters: string, text = '') {
  const [size, setSize] = useState({ filters, limit: PAGE })
  const limit = size.filters === filters ? size.limit : PAGE
  const load = (q: string) =>
    deliveriesWith(q === '' ? filters : `${filters}&${new URLSearchParams({ q })}`, limit)
  const { of, found, isSearching } = useFound(filters, text, limit, load, LIVE_MS)
  return {
    of,
    /** `undefined` until they are loaded. */
    rows: found?.data,
    counts: found?.meta.counts,
    isSearching,
    /** Loads more of them, if there are. */
    more: found?.meta.next_cursor ? () => setSize({ filters, limit: limit + PAGE }) : undefined,
  }
}
