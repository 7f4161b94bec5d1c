import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../../../../test/support/cases.ts'
import { OrderedMap } from '../../src/collections/ordered-map.ts'
import { seededRandom } from '../../src/random.ts'

/** Enough for three levels of nodes, so that branches are merged too. */
const KEYS = 20_000

/** Counts how often keys are compared: what a look-up costs, and with it the depth of the tree. */
function createCountedMap() {
  const counter = { comparisons: 0 }
  const map = new OrderedMap<number, string>((a, b) => {
    counter.comparisons += 1
    return a - b
  })
  return { map, counter }
}

type Model = ReadonlyMap<number, string>

type Order = 'rising' | 'falling' | 'shuffled' | 'from the middle'

function inOrder(keys: readonly number[], order: Order, seed: number): number[] {
  const sorted = [...keys].sort((a, b) => a - b)
  if (order === 'falling') return sorted.reverse()
  if (order === 'from the middle') {
    const middle = sorted.length >> 1
    return [...sorted.slice(middle), ...sorted.slice(0, middle).reverse()]
  }
  if (order === 'shuffled') {
    const random = seededRandom(seed)
    for (let last = sorted.length - 1; last > 0; last -= 1) {
      const [high = 0, low = 0] = random.bytes(2)
      const other = (high * 256 + low) % (last + 1)
      ;[sorted[last], sorted[other]] = [sorted[other]!, sorted[last]!]
    }
  }
  return sorted
}

/** Everything that the map says of its content, against a sorted copy of the model. */
function expectSame(map: OrderedMap<number, string>, model: Model): void {
  const sorted = [...model].sort(([a], [b]) => a - b)
  expect(map.size).toBe(sorted.length)
  assert.equal(JSON.stringify([...map.entries()]), JSON.stringify(sorted))
  const step = Math.max(1, sorted.length >> 8)
  for (let at = 0; at < sorted.length; at += step) {
    const [key, value] = sorted[at]!
    const found = [map.get(key), map.rank(key), map.at(at), map.slice(at, 1)]
    assert.deepEqual(found, [value, at, [key, value], [value]])
  }
}

type Step = { kind: 'set' | 'delete'; key: number } | { kind: 'fork' }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('set' as const), key: fc.nat(400) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), key: fc.nat(400) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'fork' as const }) },
)

interface Phase {
  readonly remaining: number
  readonly order: Order
  readonly seed: number
  readonly fork: boolean
}

const phase: fc.Arbitrary<Phase> = fc.record({
  remaining: fc.constantFrom(0, 1, 40, 700, 5_000),
  order: fc.constantFrom<Order>('rising', 'falling', 'shuffled', 'from the middle'),
  seed: fc.nat(1_000),
  fork: fc.boolean(),
})

describe('OrderedMap', () => {
  it('agrees with a sorted Map after any inserts, deletes and forks, on both sides of every fork', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 600, size: 'max' }), (steps) => {
        let map = new OrderedMap<number, string>((a, b) => a - b)
        let model = new Map<number, string>()
        const forks: [OrderedMap<number, string>, Model][] = []
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

  it('has the rank of a key that is missing, and pages that end with the last one', () => {
    const map = new OrderedMap<number, number>((a, b) => a - b)
    for (let i = 0; i < 10_000; i += 1) map.set(i, i * 2)
    expect(map.rank(1234.5)).toBe(1235)
    expect(map.slice(5000, 3)).toEqual([10_000, 10_002, 10_004])
    expect([map.slice(9998, 25), map.slice(10_000, 25)]).toEqual([[19_996, 19_998], []])
  })
})

describe('an OrderedMap that shrinks', () => {
  it('agrees with a sorted Map while 20,000 keys are removed and added in any order, as do its forks', () => {
    fc.assert(
      fc.property(fc.array(phase, { minLength: 2, maxLength: 3 }), (phases) => {
        let map = new OrderedMap<number, string>((a, b) => a - b)
        const model = new Map<number, string>()
        const forks: [OrderedMap<number, string>, Model][] = []
        for (const { remaining, order, seed, fork } of phases) {
          const missing = Array.from({ length: KEYS }, (_, key) => key).filter((key) => !model.has(key))
          for (const key of inOrder(missing, order, seed)) {
            assert.equal(map.set(key, `v${seed}`), undefined)
            model.set(key, `v${seed}`)
          }
          if (fork) {
            forks.push([map, new Map(model)])
            map = map.clone()
          }
          for (const key of inOrder([...model.keys()], order, seed + 1).slice(remaining)) {
            assert.equal(map.delete(key), model.get(key))
            assert.equal(map.delete(key), undefined)
            model.delete(key)
          }
          expectSame(map, model)
        }
        for (const [fork, then] of forks) expectSame(fork, then)
      }),
      { numRuns: propertyRuns(2, 4) },
    )
  })

  it.each<Order>(['rising', 'falling', 'shuffled'])(
    'gives its depth back: the last key costs as little as the only one, after keys go in %s order',
    (order) => {
      const { map, counter } = createCountedMap()
      for (let key = 0; key < KEYS; key += 1) map.set(key, 'v')
      const keys = inOrder(
        Array.from({ length: KEYS }, (_, key) => key),
        order,
        3,
      )
      const last = keys.pop()!
      for (const key of keys) map.delete(key)
      counter.comparisons = 0
      expect(map.get(last)).toBe('v')
      // One to find its place, one to see that it is there: a single leaf.
      expect(counter.comparisons).toBe(2)
    },
  )

  it('merges sparse nodes: 100 keys left of 20,000 need no more nodes than 100 alone', () => {
    const { map, counter } = createCountedMap()
    for (let key = 0; key < KEYS; key += 1) map.set(key, 'v')
    for (let key = 0; key < KEYS; key += 1) if (key % 200 !== 0) map.delete(key)
    counter.comparisons = 0
    for (let key = 0; key < KEYS; key += 200) expect(map.get(key)).toBe('v')
    expect(counter.comparisons / 100).toBeLessThan(10)
  })
})
