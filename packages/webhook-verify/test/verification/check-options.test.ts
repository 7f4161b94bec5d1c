import { expect, it } from 'vitest'
import { checkOptions, shown } from '../../src/verification/check-options.ts'
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
