/** A tab that is hidden for this long closes its stream, because browsers allow six connections per host. */
const HIDDEN_MS = 60_000

/**
 * Calls `sleep` when the page has been hidden for a while, and `wake` when the stream has to be opened again: the page is
 * visible again, or the network is back.
 */
export function watchPageActivity(on: { sleep(): void; wake(): void }): void {
  let isAsleep = false
  let hiding: ReturnType<typeof setTimeout> | undefined
  const onVisibility = () => {
    clearTimeout(hiding)
    if (document.visibilityState === 'hidden') {
      hiding = setTimeout(() => {
        isAsleep = true
        on.sleep()
      }, HIDDEN_MS)
    } else if (isAsleep) {
      isAsleep = false
      on.wake()
    }
  }
  document.addEventListener('visibilitychange', onVisibility)
  // A tab that was opened in the background has been hidden from the start.
  onVisibility()
  addEventListener('online', on.wake)
}
