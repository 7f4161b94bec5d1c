import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { type Gap, memoryCheckpoint } from '../../src/index.ts'
import { filled, openStore, SECOND, START, setUp } from '../support/poll.ts'

describe('gaps of a poll', () => {
  it('reports a gap if the service has nothing as old as the checkpoint, but not if one response was deleted', async () => {
    const gaps: Gap[] = []
    const model = filled(10)
    const checkpoint = memoryCheckpoint()
    const { once } = setUp(model)
    await once({ checkpoint })
    model.insert(START + 20n * SECOND)
    model.remove(1)
    expect(await once({ checkpoint, onGap: (gap) => gaps.push(gap) })).toEqual([11])
    expect(gaps).toEqual([])
    model.fill([START + 50n * SECOND, START + 60n * SECOND])
    model.rows.splice(2)
    expect(await once({ checkpoint, onGap: (gap) => gaps.push(gap) })).toEqual([12, 13])
    expect(gaps).toEqual([{ since: '2026-09-21T14:13:40.000Z', oldest: '2026-09-21T14:14:10.000Z' }])
    model.rows = []
    await once({ checkpoint, onGap: (gap) => gaps.push(gap) })
    expect(gaps[1]).toEqual({ since: '2026-09-21T14:14:20.000Z', oldest: null })
  })

  it('looks for a gap once for each checkpoint, and not at all without onGap', async () => {
    const gaps: Gap[] = []
    const model = filled(10)
    const checkpoint = memoryCheckpoint()
    const { clock, formwire, once } = setUp(model)
    await once({ checkpoint, onGap: (gap) => gaps.push(gap) })
    // Nothing was read before.
    expect([model.requests, gaps]).toEqual([1, []])
    model.rows = []
    model.requests = 0
    await once({ checkpoint })
    expect(model.requests).toBe(1)
    const stop = new AbortController()
    const onGap = (gap: Gap): unknown => gaps.push(gap)
    const options = { checkpoint, onGap, intervalMs: 1000, maxIntervalMs: 1000, signal: stop.signal }
    const poll = formwire.responses.poll('abcdefghijkl', options).next()
    await clock.advance(3500)
    stop.abort()
    await poll
    // One for the gap, and one for each of the four polls.
    expect(model.requests).toBe(1 + 5)
    expect(gaps).toHaveLength(1)
  })

  it('uses the form id or checkpointKey as the key of its state', async () => {
    const store = openStore()
    await setUp(filled(1)).once({ checkpoint: store })
    await setUp(filled(1)).once({ checkpoint: store, checkpointKey: 'mine' })
    expect([...store.states.keys()]).toEqual(['abcdefghijkl', 'mine'])
  })

  it('leaves no listener on its signal', async () => {
    const { signal } = new AbortController()
    const { once } = setUp(filled(10))
    expect(await once({ signal, per_page: 2 })).toHaveLength(10)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('looks for no gap between the blocks of a backlog, whose responses may be deleted once they are read', async () => {
    const gaps: Gap[] = []
    const model = filled(3000)
    const { once } = setUp(model)
    const ids: number[] = []
    model.beforeAnswer = () => {
      // The second block begins: of the first one nothing is left.
      if (ids.length === 0 && model.requests === 28) ids.push(...model.rows.splice(400).map(({ id }) => id))
    }
    const yielded = await once({ onGap: (gap) => gaps.push(gap) })
    expect(ids).toHaveLength(2600)
    expect(yielded.at(-1)).toBe(3000)
    expect(gaps).toEqual([])
  })

  it.each(['empty', '422'] as const)(
    '[ENV-06] reports a gap correctly while rows are inserted and deleted (past the end: %s)',
    async (pastEnd) => {
      for (const [count, change] of [
        [2, 'insert'],
        [205, 'insert'],
        [205, 'remove'],
      ] as const) {
        const gaps: Gap[] = []
        const model = filled(count)
        model.pastEnd = pastEnd
        const checkpoint = memoryCheckpoint()
        const { once } = setUp(model)
        await once({ checkpoint })
        // The newest one, which the checkpoint names, goes; older ones stay.
        model.remove(0)
        const first = model.requests
        model.beforeAnswer = (request) => {
          if (request - first !== 3) return
          if (change === 'insert') model.insert(START + 500n * SECOND)
          else for (let count = 0; count < 110; count += 1) model.remove(0)
        }
        await once({ checkpoint, onGap: (gap) => gaps.push(gap) })
        expect(gaps, `${count} ${change}`).toEqual([])
      }
    },
  )
})
