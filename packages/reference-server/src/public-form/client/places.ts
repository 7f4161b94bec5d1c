import { all } from './dom.ts'

/** The select lists of a ranking, one per place. */
export class Places {
  readonly list: HTMLElement
  readonly selects: readonly HTMLSelectElement[]

  constructor(list: HTMLElement) {
    this.list = list
    this.selects = all<HTMLSelectElement>(list, '[data-place]')
  }

  /** The ids of the options in order; empty for a free place. */
  get ranking(): string[] {
    return this.selects.map((place) => place.value)
  }

  set ranking(ids: readonly string[]) {
    for (const [index, place] of this.selects.entries()) place.value = ids[index] ?? ''
    this.list.dispatchEvent(new Event('input', { bubbles: true }))
  }

  /** Moves the option at a place to another one; those between move up or down. */
  move(from: number, to: number): void {
    const ids = this.ranking
    const [moved = ''] = ids.splice(from, 1)
    ids.splice(to, 0, moved)
    this.ranking = ids
  }

  /** Adds an option at a place. If it is taken, the options from there on move down to the next free place. */
  insert(id: string, at: number): void {
    const ids = this.ranking
    const next = ids.indexOf('', at)
    const free = next < 0 ? ids.indexOf('') : next
    ids.splice(free, 1)
    ids.splice(at, 0, id)
    this.ranking = ids
  }
}

/**
 * Keeps the places of a ranking unique: an option that moves to another place swaps with the option there. Swaps are
 * relative to the ranking when the select list received focus, since arrow keys pass over other options, which must keep
 * their places.
 */
export function keepUnique(places: Places): void {
  const { list, selects } = places
  let latest = places.ranking
  let before = latest
  let changing = -1
  list.addEventListener('focusin', () => {
    changing = -1
    // Read again: a page restored from the history gets its values back after this script has run.
    latest = places.ranking
  })
  list.addEventListener('change', (event) => {
    const changed = selects.indexOf(event.target as HTMLSelectElement)
    if (changed !== changing) {
      changing = changed
      before = latest
    }
    const chosen = selects[changed]?.value
    for (const [index, place] of selects.entries()) {
      if (index === changed) continue
      const own = before[index] ?? ''
      place.value = own !== '' && own === chosen ? (before[changed] ?? '') : own
    }
    latest = places.ranking
  })
}
