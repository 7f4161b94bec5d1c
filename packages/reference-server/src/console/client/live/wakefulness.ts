const TICK_MS = 5_000
/** A tick this late means that the machine slept: a stream from before may be dead without an error. */
const SLEPT_MS = 20_000
/** A tab hidden for this long gives its connection back: browsers allow six a host. */
const HIDDEN_MS = 60_000

/** Tells when a stream should be let go, taken up again, or opened anew. Returns the end of it. */
export function watchWakefulness(on: { sleep(): void; wake(): void }): () => void {
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
    // Hidden tabs tick late by design; they are woken when they are looked at.
    if (late > SLEPT_MS && document.visibilityState === 'visible') wake()
  }, TICK_MS)

  document.addEventListener('visibilitychange', onVisibility)
  addEventListener('online', wake)
  addEventListener('pageshow', onPageShow)
  function onPageShow(event: PageTransitionEvent): void {
    if (event.persisted) wake()
  }
  return () => {
    clearTimeout(hiding)
    clearInterval(ticking)
    document.removeEventListener('visibilitychange', onVisibility)
    removeEventListener('online', wake)
    removeEventListener('pageshow', onPageShow)
  }
}
