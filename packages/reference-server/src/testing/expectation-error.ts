import { differences, type MatchOf } from './match.ts'

/** Something that was expected did not come. The message has what came nearest, and why it is not it. */
export class ExpectationError extends Error {
  override readonly name = 'ExpectationError'
}

/** Things named in the message of what was expected in vain. */
const NEAREST = 3

/** The end of a message: what came nearest to a match, and what was different about each. */
export function describeNearest<Item>(
  items: readonly Item[],
  match: MatchOf<Item>,
  summary: (item: Item) => string,
): string {
  if (items.length === 0) return 'There was none at all.'
  const nearest = items
    .map((item) => ({ item, wrong: differences(item, match) }))
    .sort((a, b) => a.wrong.length - b.wrong.length)
    .slice(0, NEAREST)
    .map(({ item, wrong }) => [`  ${summary(item)}`, ...wrong.map((line) => `    ${line}`)].join('\n'))
  return `There were ${items.length}, the nearest:\n${nearest.join('\n')}`
}
