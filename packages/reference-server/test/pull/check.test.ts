import { expect, it } from 'vitest'
import { TextIndex } from '../../src/pull/check/text-index.ts'

it('finds texts of eight characters or more inside others, without regard to case and white space around', () => {
  const index = new TextIndex(['We met Anna Schmidt there.', 'short', 'x'.repeat(1000)])
  expect(index.contains('anna schmidt')).toBe(true)
  expect(index.contains('  Anna Schmidt\n')).toBe(true)
  expect(index.contains('Anna Schmitt')).toBe(false)
  expect(index.contains('x'.repeat(900))).toBe(true)
  expect(index.contains('x'.repeat(1001))).toBe(false)
})

it('does not look for shorter texts, nor across two texts', () => {
  const index = new TextIndex(['seven77', 'first text', 'other text'])
  expect(index.contains('seven77')).toBe(false)
  expect(index.contains('text\nother')).toBe(false)
  expect(new TextIndex([]).contains('anything at all')).toBe(false)
})
