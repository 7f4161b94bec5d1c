import { all } from './dom.ts'

/** Keeps the places of a ranking apart: an option that is given a new place swaps with the one that stood there. */
export function keepPlacesApart(form: HTMLFormElement): void {
  for (const list of all<HTMLElement>(form, '.places')) {
    const places = all<HTMLSelectElement>(list, '[data-place]')
    let before = places.map((place) => place.value)
    list.addEventListener('change', (event) => {
      const changed = places.indexOf(event.target as HTMLSelectElement)
      const other = places.findIndex(
        (place, index) => index !== changed && place.value !== '' && place.value === places[changed]?.value,
      )
      const swapped = places[other]
      if (swapped) swapped.value = before[changed] ?? ''
      before = places.map((place) => place.value)
    })
  }
}
