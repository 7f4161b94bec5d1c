/** Maximum length of a name to compare or show in full, in UTF-16 units: a request may send a name of a megabyte. */
export const NAME_MAX_LENGTH = 60
/** Shorter names are contained in too many others. */
const PART_MIN_LENGTH = 4

/** Returns the known name that is probably meant. Ignores case, `_` and `-`. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > NAME_MAX_LENGTH) return undefined
  const wanted = fold(name)
  let nearest: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const cost = costOf(wanted, fold(candidate))
    if (cost >= least) continue
    nearest = candidate
    least = cost
  }
  return nearest
}

/** The distance between two folded names, infinite when one is unlikely to be a misspelling of the other. */
function costOf(a: string, b: string): number {
  if (a === b) return 0
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length >= PART_MIN_LENGTH && long.includes(short)) return 1
  const tolerated = Math.floor(long.length / 3)
  if (long.length - short.length > tolerated) return Number.POSITIVE_INFINITY
  const edits = editsBetween(short, long)
  return edits <= tolerated ? edits : Number.POSITIVE_INFINITY
}

/** Counts the insertions, deletions, substitutions and swaps of neighbours between two texts. */
function editsBetween(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const edits = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1]
      let least = Math.min(
        at(last, column) + 1,
        at(edits, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      )
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        least = Math.min(least, at(beforeLast, column - 2) + 1)
      }
      edits.push(least)
    }
    beforeLast = last
    last = edits
  }
  return at(last, b.length)
}

const at = (numbers: readonly number[], index: number): number => numbers[index] as number

/** People confuse `per_page` and `perPage`. */
const fold = (name: string): string => name.toLowerCase().replace(/[_-]/g, '')
