import { describe, expect, it } from 'vitest'
import { memoryCheckpoint } from '../../src/index.ts'
import { filled, setUp } from '../support/poll.ts'

const client = (count: number) => setUp(filled(count)).formwire

describe('pollBatches', () => {
  it('[POLL-01, POLL-02] yields every response once, oldest first, in batches of saveEvery', async () => {
    const batches: number[][] = []
    const options = { once: true, per_page: 10, saveEvery: 4 }
    for await (const batch of client(10).responses.pollBatches('abcdefghijkl', options)) {
      batches.push(batch.map(({ id }) => id))
    }
    expect(batches).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [9, 10],
    ])
  })

  it('[POLL-02] saves a batch only after the next one is requested', async () => {
    const checkpoint = memoryCheckpoint()
    const formwire = client(10)
    const options = { once: true, checkpoint, saveEvery: 4 }
    let batches = 0
    for await (const _ of formwire.responses.pollBatches('abcdefghijkl', options)) {
      batches += 1
      if (batches === 2) break
    }
    const rest: number[] = []
    for await (const batch of formwire.responses.pollBatches('abcdefghijkl', options))
      rest.push(...batch.map(({ id }) => id))
    expect(rest).toEqual([5, 6, 7, 8, 9, 10])
  })
})
