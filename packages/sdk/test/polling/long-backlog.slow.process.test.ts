import { expect, it } from 'vitest'
import { liveHeap } from '../../../../test/support/heap.ts'
import { CheckpointError, Formwire, memoryCheckpoint } from '../../src/index.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { ModelService } from '../support/model-service.ts'

const COUNT = 200_000
const START = 1_790_000_000_000_000_000n

function filled(count: number, step: bigint): ModelService {
  const model = new ModelService()
  model.fill(Array.from({ length: count }, (_, index) => START + BigInt(index) * step))
  return model
}

const client = (model: ModelService): Formwire =>
  new Formwire({ apiKey: 'svc_k', transport: model.transport, rateLimit: false, clock: new ManualClock() })

it('[POLL-02] throws a typed error for more than 100,000 responses at one instant and loses none before it', async () => {
  const model = filled(100_002, 0n)
  const checkpoint = memoryCheckpoint()
  const formwire = client(model)
  let given = 0
  const run = (async () => {
    for await (const _ of formwire.responses.poll('abcdefghijkl', { checkpoint, once: true })) given += 1
  })()
  await expect(run).rejects.toThrow(CheckpointError)
  expect(given).toBe(100_000)
  expect((await checkpoint.load('abcdefghijkl'))?.ids).toHaveLength(100_000)
})

it('[POLL-02] reads a long backlog in constant memory and at most 1.1 requests per hundred', async () => {
  const model = filled(COUNT, 1_000_000n)
  const formwire = client(model)
  let given = 0
  let inOrder = true
  const before = liveHeap()
  let growth = 0
  for await (const { id } of formwire.responses.poll('abcdefghijkl', { once: true })) {
    given += 1
    if (id !== given) inOrder = false
    if (given % (COUNT / 4) === 0) growth = Math.max(growth, liveHeap() - before)
  }
  expect([given, inOrder]).toEqual([COUNT, true])
  expect(model.requests).toBeLessThanOrEqual((COUNT / 100) * 1.1)
  // A hundred thousand responses held would be some 20 MB.
  expect(growth).toBeLessThan(10 * 1024 * 1024)
})
