import { diffArrays } from 'diff'

/** A piece of two compared texts. */
export interface Piece {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Texts that differ in more words are shown as a whole: the time grows with the square of this number. */
const MAX_CHANGES = 1_200

/** Words, white space, and single other characters. */
const words = (text: string): string[] => text.match(/[\p{L}\p{N}_]+|\s+|./gsu) ?? []

/** Returns the difference of two texts by words. The pieces without the added ones are `before`, those without the removed ones `after`. */
export function textDifference(before: string, after: string): Piece[] {
  const changes = diffArrays(words(before), words(after), { maxEditLength: MAX_CHANGES }) ?? [
    { removed: true, added: false, value: [before] },
    { removed: false, added: true, value: [after] },
  ]
  return changes.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value.join(''),
  }))
}
