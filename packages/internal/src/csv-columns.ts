import { csvLine } from './csv.ts'
import { isObject } from './json.ts'

/** Columns for members of `meta`, at most. */
const MAX_META = 100

/** What makes two names the same for a program that reads columns by name: their text in the file, without regard to case. */
const keyOf = (name: string): string => csvLine([name.trim()]).normalize('NFKC').toLowerCase()

/**
 * Returns a name for each column that no other one has, nor a `fixed` column, without regard to case. A title that is not the only one gets
 * the id of its column in parentheses, and a number if that is taken as well.
 */
export function uniqueNames(
  columns: readonly { id: string; title: string }[],
  fixed: readonly string[],
): string[] {
  const taken = new Set(fixed.map(keyOf))
  const count = new Map<string, number>()
  const titles = columns.map(({ id, title }) => title.trim() || id)
  for (const title of titles) count.set(keyOf(title), (count.get(keyOf(title)) ?? 0) + 1)
  const isAlone = titles.map((title) => count.get(keyOf(title)) === 1 && !taken.has(keyOf(title)))
  for (const [at, title] of titles.entries()) if (isAlone[at]) taken.add(keyOf(title))
  return columns.map(({ id }, at) => {
    const title = titles[at] as string
    if (isAlone[at]) return title
    let name = `${title} (${id})`
    for (let number = 2; taken.has(keyOf(name)); number += 1) name = `${title} (${id}) ${number}`
    taken.add(keyOf(name))
    return name
  })
}

/** The columns for the `meta` of responses: one for each member, and for each member of an object such as `utm`. */
export class MetaColumns {
  readonly #titles = new Map<string, string>()

  /** Adds the members of one response. Those beyond the first hundred get no column. */
  add(meta: unknown): void {
    for (const { id, title } of membersOf(meta)) {
      if (this.#titles.size === MAX_META) return
      this.#titles.set(id, title)
    }
  }

  /** Whether there may be members without a column. */
  get isFull(): boolean {
    return this.#titles.size === MAX_META
  }

  /** The columns, in the order in which they were added. */
  get all(): { id: string; title: string }[] {
    return Array.from(this.#titles, ([id, title]) => ({ id, title }))
  }

  /** Returns the cells of a response, and its members without a column. */
  split(meta: unknown): { cells: (string | number)[]; others: { title: string; text: string }[] } {
    const members = new Map(membersOf(meta).map((member) => [member.id, member]))
    const cells = Array.from(this.#titles.keys(), (id) => members.get(id)?.value ?? '')
    const others = [...members.values()].filter(({ id }) => !this.#titles.has(id))
    return { cells, others: others.map(({ title, value }) => ({ title, text: String(value) })) }
  }
}

/** Returns the members of `meta` that have a value. */
function membersOf(meta: unknown): { id: string; title: string; value: string | number }[] {
  const found = Object.entries(Object(meta)).flatMap(([name, member]) =>
    isObject(member)
      ? Object.entries(member).map(([inner, value]) => ({ path: [name, inner], value }))
      : [{ path: [name], value: member }],
  )
  return found.flatMap(({ path, value }) => {
    if (value === null || value === undefined || value === '') return []
    const cell = typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value)
    return [{ id: JSON.stringify(path), title: `meta.${path.join('.')}`, value: cell }]
  })
}
