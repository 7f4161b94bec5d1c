const TICK_MS = 5_000
/** A tick that is late by more than this means that the machine slept. The stream may then be dead without an error. */
const SLEPT_MS = 20_000
/** A tab that is hidden for this long closes its stream, because browsers allow six connections per host. */
const HIDDEN_MS = 60_000

/**
 * Calls `sleep` when the page has been hidden for a while, and `wake` when the stream has to be opened again: the page is
 * visible again, the machine slept or the network is back. Returns a function that stops watching.
 */
export function watchPageActivity(on: { sleep(): void; wake(): void }): () => void {
  let lastTick = performance.now()
  let asleep = false
  let hiding: ReturnType<typeof setTimeout> | undefined

  const wake = () => {
    asleep = false
    on.wake()
  }
  const onVisibility = () => {
    clearTimeout(hiding)
    if (document.visibilityState === 'hidden') {
      hiding = setTimeout(() => {
        asleep = true
        on.sleep()
      }, HIDDEN_MS)
    } else if (asleep) wake()
  }
  const ticking = setInterval(() => {
    const late = performance.now() - lastTick - TICK_MS
    lastTick = performance.now()
    // Browsers delay the timers of hidden tabs. Those are handled when they become visible.
    if (late > SLEPT_MS && document.visibilityState === 'visible') wake()
  }, TICK_MS)

  const listening = new AbortController()
  const { signal } = listening
  document.addEventListener('visibilitychange', onVisibility, { signal })
  // A tab that was opened in the background has been hidden from the start.
  onVisibility()
  addEventListener('online', wake, { signal })
  addEventListener('pageshow', (event) => event.persisted && wake(), { signal })
  return () => {
    clearTimeout(hiding)
    clearInterval(ticking)
    listening.abort()
  }
}
