import { describe, expect, it } from 'vitest'
import { settleUnspecified } from '../../src/options.ts'
import { DEFAULT_UNSPECIFIED, UNSPECIFIED, type UnspecifiedKey } from '../../src/unspecified.ts'

const keys = Object.keys(UNSPECIFIED) as UnspecifiedKey[]

describe('the unspecified option', () => {
  it('is the first value of each key by default', () => {
    expect(settleUnspecified()).toEqual(DEFAULT_UNSPECIFIED)
    expect(settleUnspecified('default')).toMatchObject({ webhookDelete: '200', timestamps: 'milliseconds' })
    expect(settleUnspecified({})).toEqual(DEFAULT_UNSPECIFIED)
  })

  it('takes some keys and leaves the others at their default', () => {
    expect(settleUnspecified({ webhookDelete: '204' })).toEqual({
      ...DEFAULT_UNSPECIFIED,
      webhookDelete: '204',
    })
  })

  it('draws the same deployment for the same seed, and another for another', () => {
    expect(settleUnspecified('random:42')).toEqual(settleUnspecified('random:42'))
    expect(settleUnspecified('random:1')).not.toEqual(settleUnspecified('random:2'))
  })

  it('draws every value of every key within 100 seeds', () => {
    const drawn = Array.from({ length: 100 }, (_, seed) => settleUnspecified(`random:${seed}`))
    for (const key of keys) {
      expect([key, new Set(drawn.map((one) => one[key]))]).toEqual([key, new Set(UNSPECIFIED[key])])
    }
  })

  it.each([
    [{ webhookDeletes: '204' }, 'unspecified.webhookDeletes is not known. Known: webhookDelete, '],
    [{ webhookDelete: '205' }, 'unspecified.webhookDelete takes one of 200, 204, not "205".'],
    [{ toString: '204' }, 'unspecified.toString is not known'],
    ['random:', 'unspecified takes default, random:SEED'],
    ['defaults', 'unspecified takes default, random:SEED'],
    [null, 'unspecified takes default, random:SEED'],
    [5, 'unspecified takes default, random:SEED'],
    [['204'], 'unspecified takes default, random:SEED'],
  ])('refuses %j and says what there is', (option, message) => {
    expect(() => settleUnspecified(option as never)).toThrow(message)
  })
})
