/** What is known of a range of responses that differs from the table. */
export interface Suspect {
  /** Rows of the table in the range. */
  local: number
  /** Rows of the table minus responses of the service. */
  difference: number
}

/**
 * Whether to read a range instead of splitting it: it fits on a page, or so many of its rows differ that a search costs more. A
 * search for one row takes about one request a split, then one for the page.
 */
export function shouldRead({ local, difference }: Suspect, perPage: number): boolean {
  const service = local - difference
  const size = Math.max(local, service)
  if (size <= perPage || local < 2) return true
  const differing = Math.abs(difference)
  const splits = Math.max(0, Math.log2(size / perPage / differing))
  return differing * (splits + 2) >= size / perPage
}

/** Pages up to which a form is read whole when its counts differ: 800 responses. */
export const SMALL_FORM_PAGES = 8

/** Pages of one range of a full round: 2,500 responses in memory. */
export const FULL_RANGE_PAGES = 25
