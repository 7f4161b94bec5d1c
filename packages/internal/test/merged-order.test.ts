import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { MergedOrder } from '../src/merged-order.ts'

const merged = (...sequences: string[][]): readonly string[] => {
  const order = new MergedOrder()
  for (const sequence of sequences) order.add(sequence)
  return order.all
}

it('[RESP-06] orders items that no early sequence has together', () => {
  expect(merged(['a', 'd'], ['a', 'c', 'd'], ['a', 'b', 'd'], ['b', 'c'])).toEqual(['a', 'b', 'c', 'd'])
})

it('keeps the order of what was added first where sequences contradict each other', () => {
  expect(merged(['a', 'b', 'c', 'd'], ['b', 'a'], ['c', 'd'])).toEqual(['a', 'b', 'c', 'd'])
  expect(merged(['b', 'a', 'c'], ['a', 'b'], ['c', 'd'])).toEqual(['b', 'a', 'c', 'd'])
})

it('[RESP-06] finds an order that fits every sequence of a form', async () => {
  const items = Array.from({ length: 12 }, (_, index) => `q${index}`)
  await fc.assert(
    fc.property(fc.array(fc.subarray(items), { maxLength: 30 }), (sequences) => {
      const all = merged(...sequences)
      expect([...all].sort()).toEqual([...new Set(sequences.flat())].sort())
      for (const sequence of sequences) {
        const places = sequence.map((item) => all.indexOf(item))
        expect(places).toEqual([...places].sort((one, other) => one - other))
      }
    }),
  )
})
