import { expect, it } from 'vitest'
import { excerptOf } from '../../../src/testing/receiver-check/hints.ts'

const SECRET = 'whsec_0123456789abcdef'

it.each([
  ['no match', 'no match'],
  ['', ''],
  ['\n<!DOCTYPE html>\n<html><body>Cannot POST /</body></html>', ''],
  ['<3 is no page', '<3 is no page'],
  ['  a\r\n\t b\u0000\u001b[31mc\u202e\u200bd ', 'a b [31mc d'],
  ['é 👍', 'é 👍'],
  [`key ${SECRET}, ${SECRET}!`, 'key (secret), (secret)!'],
  ['key 0123456789abcdef', 'key (secret)'],
  ['x'.repeat(120), 'x'.repeat(120)],
  ['👍'.repeat(121), `${'👍'.repeat(120)}…`],
  // The secret would be cut off at the end of what was read.
  [`${'\n'.repeat(1_020)}${SECRET.slice(0, 4)}`, ''],
])('the excerpt of %j', (text, expected) => {
  expect(excerptOf(text, SECRET)).toBe(expected)
})

it('keeps words that are the end of a short secret', () => {
  expect(excerptOf('this test of whsec_test', 'whsec_test')).toBe('this test of (secret)')
})
