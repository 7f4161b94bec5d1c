/**
 * SQL for the sort key of a response: `submitted_at` without its zone and trailing zeros. Timestamps are UTC (ENV-05), so keys
 * compare like instants, at full precision: `2026-01-01T00:00:00` < `2026-01-01T00:00:00.05` < `2026-01-01T00:00:00.5`.
 */
export const SORT_KEY_SQL = `substr(submitted_at, 1, 19) || rtrim(substr(submitted_at, 20), '0.:+-Zz')`

/** The same key in JavaScript. */
export function sortKey(submittedAt: string): string {
  let end = submittedAt.length
  while (end > 19 && '0.:+-Zz'.includes(submittedAt[end - 1] as string)) end -= 1
  return submittedAt.slice(0, Math.max(end, Math.min(19, submittedAt.length)))
}
