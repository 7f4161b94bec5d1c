import { differences, type MatchOf } from './match.ts'

/** An expectation was not met. The message contains the closest candidates and how they differ. */
export class ExpectationError extends Error {
  override readonly name = 'ExpectationError'
}

/** Maximum number of candidates in a message. */
const NEAREST = 3

/** Describes the closest candidates and how they differ, as the end of a message. */
export function describeNearest<Item>(
  items: readonly Item[],
  match: MatchOf<Item>,
  summary: (item: Item) => string,
): string {
  if (items.length === 0) return 'None were recorded.'
  const nearest = items
    .map((item) => ({ item, wrong: differences(item, match) }))
    .sort((a, b) => a.wrong.length - b.wrong.length)
    .slice(0, NEAREST)
    .map(({ item, wrong }) => [`  ${summary(item)}`, ...wrong.map((line) => `    ${line}`)].join('\n'))
  return `Recorded ${items.length}, the closest:
${nearest.join('\n')}`
}
