import { all } from './dom.ts'

/**
 * Keeps the places of a ranking apart: an option that is given a new place swaps with the one that stood there. Each
 * choice starts from the ranking as it was when its place was gone to: arrow keys pass over options on their way, which
 * must not take them from other places.
 */
export function keepPlacesApart(form: HTMLFormElement): void {
  for (const list of all<HTMLElement>(form, '.places')) keepApart(list)
}

function keepApart(list: HTMLElement): void {
  const places = all<HTMLSelectElement>(list, '[data-place]')
  const ranking = () => places.map((place) => place.value)
  let latest = ranking()
  let before = latest
  let changing = -1
  list.addEventListener('focusin', () => {
    changing = -1
    // Read anew: a page that comes back out of the history has its choices put back after this script ran.
    latest = ranking()
  })
  list.addEventListener('change', (event) => {
    const changed = places.indexOf(event.target as HTMLSelectElement)
    if (changed !== changing) {
      changing = changed
      before = latest
    }
    const chosen = places[changed]?.value
    for (const [index, place] of places.entries()) {
      if (index === changed) continue
      const own = before[index] ?? ''
      place.value = own !== '' && own === chosen ? (before[changed] ?? '') : own
    }
    latest = ranking()
  })
}
