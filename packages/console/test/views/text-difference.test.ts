import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textDifference } from '../../src/views/delivery/comparison.tsx'

describe('the difference of two texts', () => {
  it('shows words that were removed and added', () => {
    expect(textDifference('database is down', 'database is read only')).toEqual([
      { kind: 'same', text: 'database is ' },
      { kind: 'removed', text: 'down' },
      { kind: 'added', text: 'read only' },
    ])
  })

  it('is one piece for equal texts and none for empty ones', () => {
    expect(textDifference('same', 'same')).toEqual([{ kind: 'same', text: 'same' }])
    expect(textDifference('', '')).toEqual([])
  })

  it('contains both texts in full', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '{', '\u{1f600}'), maxLength: 40 })
    fc.assert(
      fc.property(text, text, (before, after) => {
        const pieces = textDifference(before, after)
        const without = (kind: string) =>
          pieces
            .filter((piece) => piece.kind !== kind)
            .map((piece) => piece.text)
            .join('')
        expect([without('added'), without('removed')]).toEqual([before, after])
      }),
    )
  })

  it('compares very long texts as a whole', () => {
    expect(textDifference('a '.repeat(1_000), 'b')).toEqual([
      { kind: 'removed', text: 'a '.repeat(1_000) },
      { kind: 'added', text: 'b' },
    ])
  })
})
