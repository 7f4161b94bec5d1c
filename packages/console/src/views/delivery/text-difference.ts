/** A piece of two compared texts. */
export interface Piece {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** More words than this are compared as a whole: the time grows with the product of both counts. */
const MAX_WORDS = 600

/** Words, white space, and single other characters. */
const words = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_]+|\s+|./gsu) ?? []

/** Returns for each pair of positions how many words the rests of both texts have in common, in order. */
function commonCounts(before: readonly string[], after: readonly string[]): Uint16Array[] {
  const counts = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1))
  for (let i = before.length - 1; i >= 0; i--) {
    const row = counts[i] as Uint16Array
    const next = counts[i + 1] as Uint16Array
    for (let j = after.length - 1; j >= 0; j--) {
      row[j] =
        before[i] === after[j]
          ? (next[j + 1] as number) + 1
          : Math.max(next[j] as number, row[j + 1] as number)
    }
  }
  return counts
}

/** Returns the difference of two texts by words. The pieces without the added ones are `before`, those without the removed ones `after`. */
export function textDifference(before: string, after: string): Piece[] {
  const [a, b] = [words(before), words(after)]
  const pieces: { kind: Piece['kind']; text: string }[] = []
  const push = (kind: Piece['kind'], text: string) => {
    const last = pieces.at(-1)
    if (last?.kind === kind) last.text += text
    else if (text !== '') pieces.push({ kind, text })
  }
  if (before === after || a.length > MAX_WORDS || b.length > MAX_WORDS) {
    if (before === after) push('same', before)
    else {
      push('removed', before)
      push('added', after)
    }
    return pieces
  }
  const counts = commonCounts(a, b)
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      push('same', a[i++] as string)
      j++
    } else if (j === b.length || (i < a.length && count(counts, i + 1, j) >= count(counts, i, j + 1))) {
      push('removed', a[i++] as string)
    } else push('added', b[j++] as string)
  }
  return pieces
}

const count = (counts: readonly Uint16Array[], i: number, j: number): number => counts[i]?.[j] ?? 0
