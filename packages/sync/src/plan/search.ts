/** What is known of a range of responses that differs from the table. */
export interface Suspect {
  /** Rows of the table in the range. */
  local: number
  /** Rows of the table minus responses of the service. */
  difference: number
}

/** Responses per request. */
const PAGE = 100

/**
 * Whether to read a range instead of splitting it: it fits on a page, or so many of its rows differ that a search costs more. A
 * search for one row takes about one request a halving, then one for the page.
 */
export function shouldRead({ local, difference }: Suspect): boolean {
  const service = local - difference
  const size = Math.max(local, service)
  if (size <= PAGE || local < 2) return true
  const differing = Math.abs(difference)
  const halvings = Math.max(0, Math.log2(size / PAGE / differing))
  return differing * (halvings + 2) >= size / PAGE
}

/** Responses up to which a form is read whole when its counts differ. */
export const SMALL_FORM = 800

/** Rows of one range of a full round. */
export const FULL_RANGE = 2_500
