import { describe, expect, it } from 'vitest'
import { AgeList } from '../../src/collections/age-list.ts'

describe('AgeList', () => {
  it('unlinks the neighbours of a removed entry, so that it keeps no later one in memory', () => {
    const list = new AgeList<string>(10_000, () => {})
    const [first, second, third] = [list.add('first'), list.add('second'), list.add('third')]
    list.remove(second)
    expect(list.items()).toEqual(['first', 'third'])
    list.remove(first)
    for (const left of [first, second]) expect([left.previous, left.next]).toEqual([undefined, undefined])
    expect(list.items()).toEqual(['third'])
    list.remove(third)
    expect(list.items()).toEqual([])
  })
})
