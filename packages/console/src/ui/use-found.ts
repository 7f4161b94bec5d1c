import { useEffect, useRef, useState } from 'preact/hooks'
import { deliveryPulse } from '../state/deliveries.ts'
import { useResource } from '../state/resource.ts'
import { useRefreshing } from './loading.tsx'

/** Pause after a letter until it is searched. */
const TYPING_MS = 200

/** Returns a text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, settle] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => settle(text), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/**
 * Returns what the server finds, as a view shows it while it is open. What was found stays while other words are typed and other parts of
 * it are loaded, but not for another list.
 *
 * @param list Identifies the list: what is filtered but for the text.
 * @param part The part of what is found, such as a page.
 * @param load Reads the part of what has the text.
 * @param liveMs As of `useRefreshing`.
 */
export function useFound<Found>(
  list: string,
  text: string,
  part: number,
  load: (text: string) => Promise<Found>,
  liveMs?: number,
) {
  const searched = useSettled(text)
  const of = useResource(() => load(searched), [list, searched, part].join('\n'))
  useRefreshing(of, deliveryPulse, undefined, liveMs)
  const found = of.data.value
  const latest = useRef<{ list: string; text: string; found: Found } | undefined>(undefined)
  if (found) latest.current = { list, text: searched, found }
  const isShown = latest.current?.list === list && (found || of.error.value === undefined)
  const shown = isShown ? latest.current : undefined
  return {
    of,
    /** `undefined` until it is loaded. */
    found: shown?.found,
    isLoaded: found !== undefined && searched === text,
    /** Whether what is shown was found by another text. */
    isSearching: shown !== undefined && shown.text !== text,
  }
}
