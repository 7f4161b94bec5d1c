import { expect, it } from 'vitest'
import { nearestName } from '../src/nearest-name.ts'

it.each<[given: string, known: string[], nearest: string | undefined]>([
  // Names of up to three characters: one edit.
  ['abc', ['ab1'], 'ab1'],
  ['abc', ['a12'], undefined],
  ['abc', ['ab1c'], 'ab1c'],
  ['abc', ['ac'], 'ac'],
  ['ab', ['xab'], 'xab'],
  ['ab', ['abcde'], undefined],
  ['ulr', ['url'], 'url'],
  ['from_id', ['form_id'], 'form_id'],
  // Up to six: two; then up to four.
  ['abcd', ['ab12'], 'ab12'],
  ['abcd', ['12cd'], '12cd'],
  ['abcd', ['a123'], undefined],
  ['abcd', ['a1b2cd'], 'a1b2cd'],
  ['a1b2cd', ['abcd'], 'abcd'],
  ['abcdef', ['abc123'], undefined],
  ['abcdefg', ['abcd123'], 'abcd123'],
  ['abcdefghij', ['abcdef1234'], 'abcdef1234'],
  ['abcdefghijklmnop', ['abcdefghijk12345'], undefined],
  // A name of three characters that the other contains counts as one edit.
  ['now', ['nowAndThen'], 'nowAndThen'],
  ['now', ['thenAndNow'], 'thenAndNow'],
  ['nowAndThen', ['now'], 'now'],
  ['thenAndNow', ['now'], 'now'],
  ['now', ['thenNowThen'], 'thenNowThen'],
  ['no', ['nowAndThen'], undefined],
  // Case, _ and - do not count.
  ['SECRET', ['sec1et', 'secret'], 'secret'],
  ['per-page', ['page', 'perPage'], 'perPage'],
  // The nearest one wins; of several, the first.
  ['secret', ['secrets', 'Secret'], 'Secret'],
  ['abcd', ['abc1', 'abc2'], 'abc1'],
  ['abcd', ['ab12', 'abc2'], 'abc2'],
  ['abcd', [], undefined],
  // The first 60 characters are compared.
  [`${'z'.repeat(54)}secret`, ['secret'], 'secret'],
  [`${'z'.repeat(55)}secret`, ['secret'], undefined],
])('for the name %j among %j, suggests %j', (given, known, nearest) => {
  expect(nearestName(given, known)).toBe(nearest)
})
