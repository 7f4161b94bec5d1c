import { expect, it } from 'vitest'
import { nearestName } from '../src/nearest-name.ts'

it.each<[given: string, known: string[], nearest: string | undefined]>([
  // One edit per three characters of the longer name.
  ['abc', ['ab1'], 'ab1'],
  ['abc', ['a12'], undefined],
  ['abc', ['ab1c'], 'ab1c'],
  ['ab', ['xab'], 'xab'],
  ['ab', ['abcd'], undefined],
  ['abcde', ['abc12'], undefined],
  ['abcdef', ['abcd12'], 'abcd12'],
  ['abcdefghi', ['abcdef123'], 'abcdef123'],
  ['abcdefghi', ['abcde1234'], undefined],
  // Two neighbours that change places are one edit.
  ['paht', ['path'], 'path'],
  ['abcdef', ['badcef'], 'badcef'],
  ['badcfe', ['abcdef'], undefined],
  // A name of four characters that the other contains counts as one edit.
  ['then', ['nowAndThenAgain'], 'nowAndThenAgain'],
  ['thenAndNow', ['then'], 'then'],
  ['now', ['nowAndThen'], undefined],
  // Case, _ and - do not count.
  ['SECRET', ['sec_et', 'secret'], 'secret'],
  ['per-page', ['page', 'perPage'], 'perPage'],
  // The nearest one wins; of several, the first.
  ['secret', ['secrets', 'Secret'], 'Secret'],
  ['abcd', ['abc1', 'abc2'], 'abc1'],
  ['abcdef', ['abcd12', 'abcde2'], 'abcde2'],
  ['abcd', [], undefined],
  // A longer name is not compared.
  [`${'z'.repeat(54)}secret`, ['secret'], 'secret'],
  [`${'z'.repeat(55)}secret`, ['secret'], undefined],
])('for the name %j among %j, suggests %j', (given, known, nearest) => {
  expect(nearestName(given, known)).toBe(nearest)
})
