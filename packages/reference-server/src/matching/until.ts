import { elapsedMs, sleep } from '../real-timers.ts'

/** Real milliseconds between the first two looks; they become less frequent, since hundreds may wait for a minute. */
const FIRST_LOOK_MS = 5
const LAST_LOOK_MS = 50

/** Looks until something is found. Returns `undefined` after `timeoutMs` by `now`, or when the signal aborts. */
export async function until<Found>(
  look: () => Found | undefined | Promise<Found | undefined>,
  {
    timeoutMs,
    signal,
    now = elapsedMs,
  }: { readonly timeoutMs: number; readonly signal?: AbortSignal; readonly now?: () => number },
): Promise<Found | undefined> {
  const end = now() + timeoutMs
  for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(LAST_LOOK_MS, waitMs * 1.1)) {
    const found = await look()
    if (found !== undefined) return found
    const left = end - now()
    if (left <= 0 || signal?.aborted) return undefined
    await sleep(Math.min(left, waitMs), signal && { signal })
  }
}
