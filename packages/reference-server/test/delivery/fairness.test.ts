import { describe, expect, it } from 'vitest'
import { PATIENT, WAIT_MS } from '../../../../test/support/patience.ts'
import { FairQueue } from '../../src/collections/fair-queue.ts'
import { createWorld } from './world.ts'

/** A queue whose attempts end when the test says so. */
function createQueue() {
  const started: number[] = []
  const end = new Map<number, (answered: boolean) => void>()
  const queue = new FairQueue((sequence, ended) => {
    started.push(sequence)
    end.set(sequence, ended)
    return true
  })
  return { queue, started, end: (sequence: number, answered = true) => end.get(sequence)!(answered) }
}

describe('FairQueue', () => {
  it('[DLV-11] starts deliveries of the endpoints in turn', () => {
    const { queue, started } = createQueue()
    for (const sequence of [101, 102, 103]) queue.add(1, sequence)
    for (const sequence of [201, 202]) queue.add(2, sequence)
    queue.add(3, 301)
    queue.pump()
    expect(started).toEqual([101, 201, 301, 102, 202, 103])
  })

  it('[DLV-11] limits the concurrency of an endpoint, and raises the limit with each response', () => {
    const { queue, started, end } = createQueue()
    for (let sequence = 1; sequence <= 100; sequence += 1) queue.add(1, sequence)
    queue.pump()
    expect(started).toHaveLength(8)
    end(1)
    expect(started).toHaveLength(10)
    for (let sequence = 2; sequence <= 60; sequence += 1) end(sequence)
    expect(started.length - 60).toBe(32)
  })

  it('[DLV-11] lowers the limit of a receiver that hangs', () => {
    const { queue, started, end } = createQueue()
    for (let sequence = 1; sequence <= 100; sequence += 1) queue.add(1, sequence)
    queue.pump()
    for (let sequence = 1; sequence <= 8; sequence += 1) end(sequence, false)
    // 8 → 4 → 2 → 1: the other seven were running when the window shrank.
    expect(started).toHaveLength(9)
    end(9, false)
    expect(started).toHaveLength(10)
  })

  it('[DLV-11] delays no endpoint while many receivers are slow', async () => {
    const { queue, started } = createQueue()
    for (let endpoint = 1; endpoint <= 100; endpoint += 1) {
      for (let count = 0; count < 8; count += 1) queue.add(endpoint, endpoint * 100 + count)
    }
    queue.add(500, 50_000)
    queue.pump()
    expect(started).toHaveLength(256)
    expect(started).toContain(50_000)
    queue.add(501, 50_100)
    queue.pump()
    expect(started).not.toContain(50_100)
    await expect.poll(() => started.includes(50_100), { timeout: WAIT_MS }).toBe(true)
  })

  it('[DLV-06] skips deliveries that are no longer to be sent', () => {
    const started: number[] = []
    const queue = new FairQueue((sequence) => {
      if (sequence % 2) return false
      started.push(sequence)
      return true
    })
    for (let sequence = 1; sequence <= 40; sequence += 1) queue.add(1, sequence)
    queue.pump()
    expect(started).toEqual([2, 4, 6, 8, 10, 12, 14, 16])
  })
})

describe('a hanging receiver', () => {
  it('[DLV-11] delays no other endpoint and no API request', async () => {
    const { server, submit, receive, api, formId } = await createWorld()
    const hanging = await receive({ script: Array<string>(50).fill('timeout') })
    const healthy = await receive()
    for (let count = 0; count < 20; count += 1) submit()
    await healthy.receiver.waitFor(20, PATIENT)
    expect((await api('GET', `/api/v1/forms/${formId}/responses`)).body.meta.total).toBe(20)
    expect(hanging.receiver.deliveries.length).toBeLessThanOrEqual(8)
    await server.close()
  })
})
