import { expect, it } from 'vitest'
import { didYouMean } from '../../src/verification/check-options.ts'
import { shown } from '../../src/verification/shown.ts'

it.each<[given: string, known: string[], nearest: string | undefined]>([
  // Names of up to three characters: one edit.
  ['abc', ['abx'], 'abx'],
  ['abc', ['axy'], undefined],
  ['abc', ['abxc'], 'abxc'],
  ['abc', ['ac'], 'ac'],
  ['ab', ['xab'], 'xab'],
  ['ab', ['abcde'], undefined],
  // Up to seven: two.
  ['abcd', ['abxy'], 'abxy'],
  ['abcd', ['xycd'], 'xycd'],
  ['abcd', ['axyz'], undefined],
  ['abcd', ['axbycd'], 'axbycd'],
  ['axbycd', ['abcd'], 'abcd'],
  ['abcdefg', ['abcdxyz'], undefined],
  // Then four tenths of the characters.
  ['abcdefghij', ['abcdefwxyz'], 'abcdefwxyz'],
  ['abcdefghij', ['abcdevwxyz'], undefined],
  // A prefix or suffix of three characters counts as one edit.
  ['now', ['nowAndThen'], 'nowAndThen'],
  ['now', ['thenAndNow'], 'thenAndNow'],
  ['nowAndThen', ['now'], 'now'],
  ['thenAndNow', ['now'], 'now'],
  ['now', ['thenNowThen'], undefined],
  // The nearest one wins; of several, the first.
  ['secret', ['secrets', 'Secret'], 'Secret'],
  ['SECRET', ['secrat', 'secret'], 'secret'],
  ['abcd', ['abcx', 'abcy'], 'abcx'],
  ['abcd', ['abxy', 'abcy'], 'abcy'],
  ['abcd', [], undefined],
  // The first 40 characters are compared.
  [`${'z'.repeat(34)}secret`, ['secret'], 'secret'],
  [`${'z'.repeat(35)}secret`, ['secret'], undefined],
])('for the name %j among %j, suggests %j', (given, known, nearest) => {
  expect(didYouMean(given, known)).toBe(nearest && `did you mean "${nearest}"?`)
})

it.each<[unknown, string]>([
  ['x'.repeat(41), `"${'x'.repeat(40)}"`],
  [new Date(0), '1970-01-01T00:00:00.000Z'],
  [new Date(Number.NaN), 'an invalid Date'],
  [() => 1, 'a function'],
  [{}, 'an object'],
  [[], 'an object'],
  [null, 'null'],
  [undefined, 'undefined'],
  [Number.NaN, 'NaN'],
  [5n, '5'],
])('shows an option of %s as %s', (value, text) => {
  expect(shown(value)).toBe(text)
})
