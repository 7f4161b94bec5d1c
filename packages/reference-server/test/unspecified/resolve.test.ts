import { describe, expect, it } from 'vitest'
import { drawUnspecified, resolveUnspecified } from '../../src/resolve-unspecified.ts'
import { DEFAULT_UNSPECIFIED, UNSPECIFIED, type UnspecifiedKey } from '../../src/unspecified.ts'

const keys = Object.keys(UNSPECIFIED) as UnspecifiedKey[]

describe('the unspecified option', () => {
  it('is the first value of each key by default', () => {
    expect(resolveUnspecified()).toEqual(DEFAULT_UNSPECIFIED)
    expect(resolveUnspecified('default')).toMatchObject({ webhookDelete: '200', timestamps: 'milliseconds' })
    expect(resolveUnspecified({})).toEqual(DEFAULT_UNSPECIFIED)
  })

  it('takes some keys and leaves the others at their default', () => {
    expect(resolveUnspecified({ webhookDelete: '204' })).toEqual({
      ...DEFAULT_UNSPECIFIED,
      webhookDelete: '204',
    })
  })

  it('draws the same deployment for the same seed, and another for another', () => {
    expect(resolveUnspecified('random:42')).toEqual(drawUnspecified(42))
    expect(drawUnspecified(1)).not.toEqual(drawUnspecified(2))
  })

  it('draws every value of every key within 100 seeds', () => {
    const drawn = Array.from({ length: 100 }, (_, seed) => drawUnspecified(seed))
    for (const key of keys) {
      expect([key, new Set(drawn.map((one) => one[key]))]).toEqual([key, new Set(UNSPECIFIED[key])])
    }
  })

  it.each([
    [{ webhookDeletes: '204' }, 'unspecified has no key webhookDeletes; it has webhookDelete, '],
    [{ webhookDelete: 204 }, 'unspecified.webhookDelete is 200 or 204, not 204'],
    [{ toString: '204' }, 'unspecified has no key toString'],
    ['random:', 'random:SEED with a whole number'],
    ['random:1e3', 'random:SEED with a whole number'],
    ['defaults', 'not defaults'],
    [[], 'unspecified takes default'],
    [null, 'unspecified takes default'],
  ])('refuses %j and says what there is', (option, message) => {
    expect(() => resolveUnspecified(option)).toThrow(message)
  })
})
