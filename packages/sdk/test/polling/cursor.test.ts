import { describe, expect, it } from 'vitest'
import { CheckpointError, type PollState } from '../../src/index.ts'
import { Cursor } from '../../src/polling/cursor.ts'
import { type Instant, parseInstant } from '../../src/polling/instant.ts'

const at = (text: string): Instant => parseInstant(text) as Instant
const A = '2026-11-21T09:30:00.000Z'
const B = '2026-11-21T09:30:05+00:00'
const C = '2026-11-21T09:30:20.000001Z'

function cursor(lookbackMs = 0, maxIds?: number): Cursor {
  return new Cursor(lookbackMs, maxIds)
}

describe('the cursor of a poll', () => {
  it('[POLL-01] keeps the newest instant in the spelling of the service, and the ids at that instant only', () => {
    const one = cursor()
    expect(one.toState()).toBeUndefined()
    one.add(1, A, at(A))
    one.add(2, A, at(A))
    expect(one.toState()).toEqual({ version: 1, since: A, ids: [1, 2] })
    one.add(3, B, at(B))
    expect(one.toState()).toEqual({ version: 1, since: B, ids: [3] })
    expect(one.sinceWithLookback).toBe(B)
  })

  it('treats two spellings of one instant as ties', () => {
    const one = cursor()
    one.add(1, '2026-11-21T09:30:00Z', at(A))
    one.add(2, '2026-11-21T10:30:00.000+01:00', at(A))
    expect(one.toState()).toEqual({ version: 1, since: '2026-11-21T09:30:00Z', ids: [1, 2] })
  })

  it('recognizes what was yielded, by id and by its window', () => {
    const one = cursor()
    one.add(2, B, at(B))
    expect(one.has(2, at(B))).toBe(true)
    expect(one.has(3, at(B))).toBe(false)
    expect(one.has(1, at(A))).toBe(true)
    expect(one.has(4, at(C))).toBe(false)
  })

  it('keeps the ids of the lookback window and detects late ones in it', () => {
    const one = cursor(10_000)
    one.add(1, A, at(A))
    one.add(2, B, at(B))
    expect(one.toState()).toEqual({ version: 1, since: B, ids: [2], earlier: [[A, [1]]] })
    expect(one.sinceWithLookback).toBe('2026-11-21T09:29:55.000Z')
    expect(one.has(9, at('2026-11-21T09:30:01Z'))).toBe(false)
    one.add(9, '2026-11-21T09:30:01Z', at('2026-11-21T09:30:01Z'))
    one.add(8, A, at(A))
    expect(one.toState()).toEqual({
      version: 1,
      since: B,
      ids: [2],
      earlier: [
        [A, [1, 8]],
        ['2026-11-21T09:30:01Z', [9]],
      ],
    })
    // The window advances. Ids before it are dropped and count as yielded.
    one.add(3, C, at(C))
    expect(one.toState()).toEqual({ version: 1, since: C, ids: [3] })
    expect(one.has(1, at(A))).toBe(true)
  })

  it('is equal after it is restored from its state', () => {
    const state: PollState = { version: 1, since: B, ids: [2, 3], earlier: [[A, [1]]] }
    const one = cursor(10_000)
    one.restore(structuredClone(state), 'a')
    expect(one.toState()).toEqual(state)
    expect(one.has(1, at(A))).toBe(true)
    expect(one.size).toBe(3)
  })

  it('[POLL-02] throws a typed error above the limit of ids at one instant, and makes room at a newer instant', () => {
    const one = cursor(0, 3)
    for (const id of [1, 2, 3]) {
      one.assertRoom(at(A))
      one.add(id, A, at(A))
    }
    expect(() => one.assertRoom(at(A))).toThrow(CheckpointError)
    expect(() => one.assertRoom(at(A))).toThrow(/More than 3 responses at 2026-11-21T09:30:00.000Z/)
    expect(() => one.assertRoom(at(B))).not.toThrow()
    const window = cursor(60_000, 2)
    window.add(1, A, at(A))
    window.add(2, B, at(B))
    expect(() => window.assertRoom(at(C))).toThrow(/lookbackMs/)
  })

  it('keeps the ids of its newest instant even if all of them are before the window of the next', () => {
    const window = cursor(1000, 2)
    window.add(1, A, at(A))
    window.add(2, A, at(A))
    expect(() => window.assertRoom(at(C))).toThrow(/More than 2 responses at 2026-11-21T09:30:00.000Z/)
    expect(window.toState()).toEqual({ version: 1, since: A, ids: [1, 2] })
  })

  it.each([
    [{ version: 2, since: A, ids: [] }],
    [{ since: A, ids: [] }],
    [{ version: 1, since: 'yesterday', ids: [] }],
    [{ version: 1, since: A }],
    [{ version: 1, since: [A], ids: [] }],
    [{ version: 1, since: A, ids: ['1'] }],
    [{ version: 1, since: A, ids: { 0: 1 } }],
    [{ version: 1, since: B, ids: [], earlier: [['?', [1]]] }],
    [{ version: 1, since: B, ids: [], earlier: [null] }],
    [{ version: 1, since: B, ids: [], earlier: [[A]] }],
    [{ version: 1, since: B, ids: [], earlier: [[A, [1.5]]] }],
    [{ version: 1, since: B, ids: [], earlier: 5 }],
    [{ version: 1, since: B, ids: [], earlier: null }],
    [{ version: 1, since: A, ids: [], earlier: [[B, [1]]] }],
    [false],
    ['{}'],
  ])('rejects the state %j with a CheckpointError', (state) => {
    expect(() => cursor().restore(state as unknown as PollState, 'a')).toThrow(CheckpointError)
  })
})
