import { Chalk } from 'chalk'
import { expect, it } from 'vitest'
import { jsonLines } from '../../src/output/long-text.ts'
import { PLAIN_PENS } from '../../src/output/pens.ts'

it('colours names, texts and other values', () => {
  const pens = new Chalk({ level: 1 })
  const { cyan, green, yellow } = pens
  expect(jsonLines({ name: 'a: "b"', n: [1, null, true], o: {} }, 80, pens)).toEqual([
    '{',
    `  ${cyan('"name":')}${green(' "a: \\"b\\"",')}`,
    `  ${cyan('"n":')} [`,
    `    ${yellow('1,')}`,
    `    ${yellow('null,')}`,
    `    ${yellow('true')}`,
    '  ],',
    `  ${cyan('"o":')} {}`,
    '}',
  ])
})

it('wraps at the width and keeps the indentation, without control characters', () => {
  expect(jsonLines({ a: 'one two three\u202e four five' }, 16, PLAIN_PENS)).toEqual([
    '{',
    '  "a": "one two',
    '  three four',
    '  five"',
    '}',
  ])
})
