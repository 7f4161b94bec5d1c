import { expect, it } from 'vitest'
import { checkOptions, didYouMean } from '../../src/verification/check-options.ts'
import { shown } from '../../src/verification/shown.ts'
import { refusalOf } from '../support.ts'

const NAMES = { secret: true, now: true } as const

it('accepts options with known names, whatever they inherit', () => {
  for (const options of [{}, { secret: 'a', now: undefined }, Object.create({ clock: 1 })])
    expect(() => checkOptions(options, NAMES)).not.toThrow()
})

it.each<[unknown, string]>([
  [undefined, 'The options must be an object, got undefined.'],
  [null, 'The options must be an object, got null.'],
  ['text', 'The options must be an object, got "text".'],
  [{ secrets: undefined }, 'Unknown option "secrets"; did you mean "secret"?'],
  [{ secret: 'a', timer: 1 }, 'Unknown option "timer"; known options: secret, now.'],
])('refuses the options %j', async (options, message) => {
  const refusal = await refusalOf(() => checkOptions(options as object, NAMES))
  expect(refusal).toMatchObject({ code: 'invalid_option', message })
})

it.each<[given: string, known: string[], nearest: string | undefined]>([
  // Names of up to three characters: one edit.
  ['abc', ['ab1'], 'ab1'],
  ['abc', ['a12'], undefined],
  ['abc', ['ab1c'], 'ab1c'],
  ['abc', ['ac'], 'ac'],
  ['ab', ['xab'], 'xab'],
  ['ab', ['abcde'], undefined],
  // Up to seven: two.
  ['abcd', ['ab12'], 'ab12'],
  ['abcd', ['12cd'], '12cd'],
  ['abcd', ['a123'], undefined],
  ['abcd', ['a1b2cd'], 'a1b2cd'],
  ['a1b2cd', ['abcd'], 'abcd'],
  ['abcdefg', ['abcd123'], undefined],
  // Then four tenths of the characters.
  ['abcdefghij', ['abcdef1234'], 'abcdef1234'],
  ['abcdefghij', ['abcde12345'], undefined],
  // A prefix or suffix of three characters counts as one edit.
  ['now', ['nowAndThen'], 'nowAndThen'],
  ['now', ['thenAndNow'], 'thenAndNow'],
  ['nowAndThen', ['now'], 'now'],
  ['thenAndNow', ['now'], 'now'],
  ['now', ['thenNowThen'], undefined],
  // The nearest one wins; of several, the first.
  ['secret', ['secrets', 'Secret'], 'Secret'],
  ['SECRET', ['sec_et', 'secret'], 'secret'],
  ['abcd', ['abc1', 'abc2'], 'abc1'],
  ['abcd', ['ab12', 'abc2'], 'abc2'],
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
