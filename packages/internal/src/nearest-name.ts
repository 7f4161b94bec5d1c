/** Maximum length of a name to compare or show in full, in UTF-16 units: a request may send a name of a megabyte. */
export const NAME_MAX_LENGTH = 60

/**
 * Returns the known name that is probably meant: the one with the fewest edits, up to four and a third of the characters. A part of a
 * name is one edit from it. Ignores case, `_` and `-`.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const given = fold(name.slice(0, NAME_MAX_LENGTH))
  let found: string | undefined
  for (let edits = 0; !found && edits < 5 && edits <= Math.ceil(given.length / 3); edits += 1) {
    found = known.find((one) => isNear(given, fold(one), edits) || (edits === 1 && isPart(given, fold(one))))
  }
  return found
}

/** People confuse `per_page` and `perPage`. */
const fold = (name: string): string => name.toLowerCase().replace(/[_-]/g, '')

/** Whether one name contains the other. Two characters are contained in too many. */
const isPart = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) > 2 && (a.includes(b) || b.includes(a))

/** Whether so many insertions, deletions, substitutions and swaps of neighbours turn one text into the other. */
function isNear(a: string, b: string, edits: number): boolean {
  if (a === b || edits < 1) return a === b
  if (a[0] === b[0]) return isNear(a.slice(1), b.slice(1), edits)
  const left = edits - 1
  if (a[0] === b[1] && a[1] === b[0] && isNear(a.slice(2), b.slice(2), left)) return true
  return isNear(a.slice(1), b.slice(1), left) || isNear(a.slice(1), b, left) || isNear(a, b.slice(1), left)
}
