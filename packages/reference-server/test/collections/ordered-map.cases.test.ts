import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../../../../test/support/cases.ts'
import { OrderedMap } from '../../src/collections/ordered-map.ts'

const ascending = (a: number, b: number): number => a - b

type Step = { kind: 'set' | 'delete'; key: number } | { kind: 'fork' }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('set' as const), key: fc.nat(400) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), key: fc.nat(400) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'fork' as const }) },
)

function expectSame(map: OrderedMap<number, string>, model: Map<number, string>): void {
  const sorted = [...model].sort(([a], [b]) => a - b)
  expect([...map.entries()]).toEqual(sorted)
  expect(map.size).toBe(sorted.length)
  for (const [position, [key, value]] of sorted.entries()) {
    expect(map.get(key)).toBe(value)
    expect(map.rank(key)).toBe(position)
    expect(map.at(position)).toEqual([key, value])
  }
}

describe('OrderedMap', () => {
  it('agrees with a sorted Map after any inserts, deletes and forks, on both sides of every fork', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 600, size: 'max' }), (steps) => {
        let map = new OrderedMap<number, string>(ascending)
        let model = new Map<number, string>()
        const forks: [OrderedMap<number, string>, Map<number, string>][] = []
        for (const [index, action] of steps.entries()) {
          if (action.kind === 'fork') {
            forks.push([map, model])
            map = map.clone()
            model = new Map(model)
          } else if (action.kind === 'set') {
            expect(map.set(action.key, `v${index}`)).toBe(model.get(action.key))
            model.set(action.key, `v${index}`)
          } else {
            expect(map.delete(action.key)).toBe(model.get(action.key))
            model.delete(action.key)
          }
        }
        expectSame(map, model)
        for (const [fork, then] of forks) expectSame(fork, then)
      }),
      { numRuns: propertyRuns(8, 20) },
    )
  })

  it.each([
    ['rising', (i: number) => i],
    ['falling', (i: number) => 9999 - i],
    ['scattered', (i: number) => (i * 7919) % 10_000],
  ])('keeps order, positions and pages for 10,000 keys that come in %s', (_order, keyOf) => {
    const map = new OrderedMap<number, number>(ascending)
    for (let i = 0; i < 10_000; i += 1) map.set(keyOf(i), keyOf(i) * 2)
    expect(map.size).toBe(10_000)
    expect(map.slice(5000, 3)).toEqual([10_000, 10_002, 10_004])
    expect(map.slice(9998, 25)).toEqual([19_996, 19_998])
    expect(map.slice(10_000, 25)).toEqual([])
    expect(map.rank(1234.5)).toBe(1235)
    for (let i = 0; i < 10_000; i += 2) map.delete(i)
    expect(map.size).toBe(5000)
    expect(map.slice(0, 3)).toEqual([2, 6, 10])
  })
})
