import { describe, expect, it } from 'vitest'
import { AgeList } from '../../src/delivery/age-list.ts'

describe('age list', () => {
  it('lets go of the neighbours of an entry that leaves, so that no attempt keeps a later one in memory', () => {
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
