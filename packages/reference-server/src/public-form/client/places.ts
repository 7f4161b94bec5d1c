import { all } from './dom.ts'

/**
 * Keeps the places of a ranking unique: an option that moves to another place swaps with the option there. Swaps are
 * relative to the ranking when the select list received focus, since arrow keys pass over other options, which must keep
 * their places.
 */
export function keepPlacesUnique(form: HTMLFormElement): void {
  for (const list of all<HTMLElement>(form, '.places')) keepUnique(list)
}

function keepUnique(list: HTMLElement): void {
  const places = all<HTMLSelectElement>(list, '[data-place]')
  const ranking = () => places.map((place) => place.value)
  let latest = ranking()
  let before = latest
  let changing = -1
  list.addEventListener('focusin', () => {
    changing = -1
    // Read again: a page restored from the history gets its values back after this script has run.
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
