/** What was shown once and not yet said to be kept. */
const unkept = new Set<object>()

const ask = (event: BeforeUnloadEvent): void => event.preventDefault()

/** From now on the browser asks before the page is left, which would lose it. */
export function holdPage(thing: object): void {
  unkept.add(thing)
  addEventListener('beforeunload', ask)
}

/** It is kept, or given up. */
export function releasePage(thing: object): void {
  unkept.delete(thing)
  // A listener that is there keeps the page out of the browser's cache of earlier pages.
  if (unkept.size === 0) removeEventListener('beforeunload', ask)
}
