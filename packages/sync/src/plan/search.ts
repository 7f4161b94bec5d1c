/** What is known of a range of responses that differs from the table. */
export interface Suspect {
  /** Rows of the table in the range. */
  local: number
  /** Rows of the table minus responses of the service. */
  difference: number
}

/** Requests that read the page of one response, which may be on two. */
const LEAF_REQUESTS = 1.7

/**
 * Whether to read a range instead of splitting it: it fits on a page, or so many of its rows differ that a search costs more.
 *
 * A larger range is always split, since its differing rows may be next to each other. That costs no more than a tenth of reading it.
 *
 * @param confirms whether each differing row takes a request of its own in the end
 */
export function shouldRead({ local, difference }: Suspect, perPage: number, confirms: boolean): boolean {
  const service = local - difference
  const size = Math.max(local, service)
  if (size <= perPage || local < 2) return true
  const pages = service / perPage
  if (pages > MAX_READ_PAGES || local > MAX_ROWS_PER_RESPONSE * MAX_READ_PAGES * perPage) return false
  const differing = Math.abs(difference)
  const narrowing = differing * Math.max(0, Math.log2(pages / differing))
  // At best, the rows are together, and few splits separate them: a few rows are worth trying.
  if (differing <= FEW) return narrowing + 2 * differing >= pages
  const confirmations = confirms ? differing : 0
  return differing - 1 + narrowing + differing * LEAF_REQUESTS + confirmations >= pages + 1
}

/** Differing rows that are likely to be together. */
const FEW = 5

/** Pages that a search reads at once, at most, and rows of the table for each response of the service: their ids are in memory. */
const MAX_READ_PAGES = 40
const MAX_ROWS_PER_RESPONSE = 10

/** Pages up to which a form is read whole when its counts differ: 800 responses. */
export const SMALL_FORM_PAGES = 8

/** Pages of one range of a full round: 2,500 responses in memory. */
export const FULL_RANGE_PAGES = 25
