/** Returns a function that has `run` called soon: at most once per interval, and never before what runs now has finished. */
export function paced(run: () => void, intervalMs: number): () => void {
  let ranAt = Number.NEGATIVE_INFINITY
  let isDue = false
  const runNow = (): void => {
    isDue = false
    ranAt = performance.now()
    run()
  }
  return () => {
    if (!isDue) setTimeout(runNow, Math.max(0, ranAt + intervalMs - performance.now()))
    isDue = true
  }
}
