import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createReferenceServer } from '../../src/index.ts'
import { resolveUnspecified } from '../../src/options.ts'
import { DEFAULT_UNSPECIFIED, UNSPECIFIED, type UnspecifiedKey } from '../../src/unspecified.ts'

const keys = Object.keys(UNSPECIFIED) as UnspecifiedKey[]

describe('the unspecified option', () => {
  it('is the first value of each key by default', () => {
    const first = Object.fromEntries(keys.map((key) => [key, UNSPECIFIED[key][0]]))
    expect([resolveUnspecified(), resolveUnspecified({})]).toEqual([first, first])
    expect(resolveUnspecified('default')).toMatchObject({ webhookDelete: '200', timestamps: 'milliseconds' })
    expect(createReferenceServer().unspecified).toEqual(first)
  })

  it('has a decision record for every key', () => {
    const folder = new URL('../../../../docs/decisions/', import.meta.url)
    const rules = readdirSync(folder).map(
      (name) => /^Rule: .*$/m.exec(readFileSync(new URL(name, folder), 'utf8'))?.[0],
    )
    expect(keys.filter((key) => !rules.some((rule) => rule?.includes(`\`${key}\``)))).toEqual([])
  })

  it('accepts some keys and keeps the defaults of the others', () => {
    expect(resolveUnspecified({ webhookDelete: '204' })).toEqual({
      ...DEFAULT_UNSPECIFIED,
      webhookDelete: '204',
    })
  })

  it('draws the same deployment for the same seed, and another for another', () => {
    expect(resolveUnspecified('random:42')).toEqual(resolveUnspecified('random:42'))
    expect(resolveUnspecified('random:1')).not.toEqual(resolveUnspecified('random:2'))
  })

  it('draws every value of every key within 100 seeds', () => {
    const drawn = Array.from({ length: 100 }, (_, seed) => resolveUnspecified(`random:${seed}`))
    for (const key of keys) {
      expect([key, new Set(drawn.map((one) => one[key]))]).toEqual([key, new Set(UNSPECIFIED[key])])
    }
  })

  it.each([
    [{ webhookDeletes: '204' }, 'Unknown unspecified key "webhookDeletes"; did you mean "webhookDelete"?'],
    [{ webhookDelete: '205' }, 'unspecified.webhookDelete must be one of 200, 204; got "205".'],
    [{ toString: '204' }, 'Unknown unspecified key "toString"; known: webhookDelete, '],
    ['random:', 'unspecified must be default, random:SEED'],
    ['defaults', 'unspecified must be default, random:SEED, or an object of its keys; got "defaults".'],
    [null, 'unspecified must be default, random:SEED'],
    [5, 'unspecified must be default, random:SEED'],
    [['204'], 'unspecified must be default, random:SEED'],
  ])('refuses %j and reports what is accepted', (option, message) => {
    expect(() => resolveUnspecified(option as never)).toThrow(message)
  })
})
