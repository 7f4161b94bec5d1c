/** Keys and secrets that were shown and not confirmed as saved. */
const unsaved = new Set<object>()

const ask = (event: BeforeUnloadEvent): void => event.preventDefault()

/** Makes the browser ask before the page is left, until `releasePage` is called. */
export function holdPage(thing: object): void {
  unsaved.add(thing)
  addEventListener('beforeunload', ask)
}

/** Undoes `holdPage`: the key or secret was saved or dismissed. */
export function releasePage(thing: object): void {
  unsaved.delete(thing)
  // Registered only when needed, because the listener disables the back/forward cache.
  if (unsaved.size === 0) removeEventListener('beforeunload', ask)
}
