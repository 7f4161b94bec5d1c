import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { redisCheckpoint } from '../../src/checkpoint/redis.ts'
import { AbortError, CheckpointError, Formwire, LeaseLostError, type PollState } from '../../src/index.ts'
import { ModelService } from '../support/model-service.ts'
import { connect, hasRedis, startRedis } from '../support/redis-server.ts'

const state = (since: string, ...ids: number[]): PollState => ({ version: 1, since, ids })
const A = state('2026-11-21T09:30:00.000Z', 1, 2)
const B = state('2026-11-21T09:30:01.000Z', 3)

describe.skipIf(!hasRedis)('the checkpoint in Redis', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>
  let client: Awaited<ReturnType<typeof connect>>
  let number = 0
  let prefix = ''
  const store = (leaseMs = 10_000) => {
    return redisCheckpoint({ client, prefix, leaseMs })
  }

  beforeAll(async () => {
    redis = await startRedis()
    client = await connect(redis.url)
  })
  afterEach(() => {
    number += 1
    prefix = `test:${process.pid}:${number}`
  })
  afterAll(async () => {
    client?.destroy()
    await redis?.stop()
  })

  it('loads what was saved, one key apart from another', async () => {
    expect(await store().load('form')).toBeUndefined()
    await store().save('form', A)
    expect(await store().load('form')).toEqual(A)
    expect(await store().load('other')).toBeUndefined()
  })

  it('refuses what something else wrote', async () => {
    await client.set(`${prefix}:{form}:state`, 'not json')
    await expect(store().load('form')).rejects.toThrow(CheckpointError)
  })

  it('[POLL-02] lets one of many pollers run, and the next when that one releases', async () => {
    const first = await store(3000).acquire?.('form')
    let second: unknown
    const waiting = store(3000)
      .acquire?.('form')
      .then((lease) => {
        second = lease
        return lease
      })
    await first?.save('form', A)
    expect(second).toBeUndefined()
    await first?.release()
    const lease = await waiting
    expect(await store().load('form')).toEqual(A)
    await lease?.release()
  })

  it('[POLL-02] fences off a poller that was overtaken: its save is refused and it knows', async () => {
    const first = await store().acquire?.('form')
    await first?.save('form', A)
    // Its lease ran out while it was stuck, and another one took over.
    await client.del(`${prefix}:{form}:lease`)
    const second = await store().acquire?.('form')
    await second?.save('form', B)
    await expect(first?.save('form', A)).rejects.toThrow(LeaseLostError)
    expect(first?.lost.aborted).toBe(true)
    expect(await store().load('form')).toEqual(B)
    await first?.release()
    await second?.save('form', B)
    await second?.release()
  })

  it('renews the lease while it is held, and knows when it is lost', async () => {
    const lease = await store(900).acquire?.('form')
    const expiries: number[] = []
    for (let turn = 0; turn < 6; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 200))
      expiries.push(await client.pTTL(`${prefix}:{form}:lease`))
    }
    expect(Math.min(...expiries)).toBeGreaterThan(0)
    const lost = new Promise((resolve) => lease?.lost.addEventListener('abort', resolve))
    await client.set(`${prefix}:{form}:lease`, 'someone else')
    await lost
    expect(lease?.lost.reason).toBeInstanceOf(LeaseLostError)
    await lease?.release()
    expect(await client.get(`${prefix}:{form}:lease`)).toBe('someone else')
  })

  it('stops waiting when its signal aborts', async () => {
    const held = await store().acquire?.('form')
    const controller = new AbortController()
    const waiting = store().acquire?.('form', controller.signal)
    setImmediate(() => controller.abort())
    await expect(waiting).rejects.toThrow(AbortError)
    await held?.release()
  })

  it('[POLL-02] two polls of a form share its responses: each is given once while both run to the end', async () => {
    const model = new ModelService()
    model.fill(
      Array.from({ length: 250 }, (_, index) => 1_790_000_000_000_000_000n + BigInt(index) * 1_000_000n),
    )
    const given: number[] = []
    const run = async (leaveAfter: number): Promise<void> => {
      const formwire = new Formwire({ apiKey: 'svc_k', transport: model.transport, rateLimit: false })
      let count = 0
      for await (const { id } of formwire.responses.poll('abcdefghijkl', {
        checkpoint: store(3000),
        once: true,
      })) {
        if (count === leaveAfter) return
        given.push(id)
        count += 1
      }
    }
    await Promise.all([run(100), run(Number.POSITIVE_INFINITY), run(50)])
    expect(given.sort((a, b) => a - b)).toEqual(Array.from({ length: 250 }, (_, index) => index + 1))
  })
})
