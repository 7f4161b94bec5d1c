import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../../test/support/free-port.ts'
import { redisCheckpoint } from '../../src/checkpoint/redis.ts'
import {
  AbortError,
  CheckpointError,
  Formwire,
  LeaseLostError,
  type Pause,
  type PollState,
} from '../../src/index.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { ModelService } from '../support/model-service.ts'
import { connect, hasRedis, hasRedisServer, OwnRedis, startRedis } from '../support/redis-server.ts'

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

  it('loads the saved state of each key', async () => {
    expect(await store().load('form')).toBeUndefined()
    await store().save('form', A)
    expect(await store().load('form')).toEqual(A)
    expect(await store().load('other')).toBeUndefined()
  })

  it.each(['not json', 'null', '5'])('rejects %j in place of a state', async (text) => {
    await client.set(`${prefix}:{form}:state`, text)
    await expect(store().load('form')).rejects.toThrow(CheckpointError)
    await expect(store().load('form')).rejects.toThrow(/:\{form\}:state in Redis is not a JSON object/)
  })

  it('reports a permanent error reply as a CheckpointError without a reason', async () => {
    await client.lPush(`${prefix}:{form}:state`, 'a list')
    const error = await Promise.resolve(store().load('form')).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(CheckpointError)
    expect(error).toMatchObject({ cause: expect.any(Error) })
    expect(error).not.toHaveProperty('reason')
    expect((error as Error).message).toBe(
      `Redis failed at the checkpoint ${prefix}:{form}:state (WRONGTYPE); see "cause".`,
    )
  })

  it('[POLL-02] lets one of many pollers run, and the next one after its release', async () => {
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

  it('[POLL-02] rejects the save of a poller that lost its lease, and aborts its lost signal', async () => {
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

  it.each([undefined, () => 'worker'])(
    '[POLL-02] rejects the save of an old lease after Redis lost its data (owner: %s)',
    async (owner) => {
      const options = { client, prefix, leaseMs: 10_000, owner }
      const first = await redisCheckpoint(options).acquire?.('form')
      await first?.save('form', A)
      for (const name of ['state', 'lease', 'fence']) await client.del(`${prefix}:{form}:${name}`)
      const second = await redisCheckpoint(options).acquire?.('form')
      await second?.save('form', B)
      await expect(first?.save('form', A)).rejects.toThrow(LeaseLostError)
      expect(first?.lost.aborted).toBe(true)
      expect(await store().load('form')).toEqual(B)
      await first?.release()
      // Neither did the old one release the lease of the new one.
      await second?.save('form', B)
      expect(await client.exists(`${prefix}:{form}:lease`)).toBe(1)
      await second?.release()
    },
  )

  it('renews the lease while it is held, and detects its loss', async () => {
    // It is renewed each second. Long enough that a busy machine does not lose it.
    const lease = await store(3000).acquire?.('form')
    const expiresIn = () => client.pTTL(`${prefix}:{form}:lease`)
    let last = await expiresIn()
    for (let next = last; next <= last; next = await expiresIn()) last = next
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

  it('[POLL-02] yields each response once to one of two polls of a form that both run to the end', async () => {
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

describe.skipIf(!hasRedisServer)('the checkpoint in Redis across restarts of Redis', () => {
  let redis: OwnRedis
  let client: Awaited<ReturnType<typeof connect>>

  beforeEach(async () => {
    redis = await new OwnRedis(await freePort()).start()
    client = await connect(redis.url)
  })
  afterEach(async () => {
    client.destroy()
    await redis.stop()
  })

  // Not once() of node:events, which rejects on the client's 'error'.
  const emitted = (event: string): Promise<unknown> => new Promise((resolve) => client.once(event, resolve))
  const stopRedis = async (): Promise<void> => {
    const gone = emitted('reconnecting')
    await redis.stop()
    await gone
  }
  const startAgain = async (): Promise<void> => {
    const back = emitted('ready')
    await redis.start()
    await back
  }

  function follow() {
    const model = new ModelService()
    model.fill([1_790_000_000_000_000_000n, 1_790_000_001_000_000_000n])
    const clock = new ManualClock()
    const formwire = new Formwire({ apiKey: 'svc_k', transport: model.transport, rateLimit: false, clock })
    const stop = new AbortController()
    const given: number[] = []
    const pauses: Pause[] = []
    const run = (async () => {
      for await (const { id } of formwire.responses.poll('abcdefghijkl', {
        checkpoint: redisCheckpoint({ client, leaseMs: 3000 }),
        signal: stop.signal,
        onPause: (pause) => void pauses.push(pause),
      })) {
        given.push(id)
      }
    })()
    /** Advances the clock until a condition holds, since Redis replies in real time. */
    const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
      for (let turns = 0; !(await holds()); turns += 1) {
        if (turns === 5000) throw new Error('it never came to that')
        await clock.advance(100)
      }
    }
    const saved = async (): Promise<unknown> =>
      JSON.parse((await client.get('formwire:checkpoint:{abcdefghijkl}:state')) ?? 'null')
    return { clock, given, model, pauses, run, saved, stop, until }
  }

  it('[POLL-02] pauses a poll while Redis is down and yields each response once, although Redis lost its data', async () => {
    const { given, model, pauses, run, saved, stop, until } = follow()
    await until(async () => JSON.stringify(await saved())?.includes('[2]'))
    await stopRedis()
    model.insert(1_790_000_002_000_000_000n)
    model.insert(1_790_000_003_000_000_000n)
    await until(() => pauses.length >= 3)
    expect(given).toEqual([1, 2, 3])
    for (const { error } of pauses) {
      expect(error).toBeInstanceOf(CheckpointError)
      expect(error).toMatchObject({ reason: 'unavailable', cause: expect.any(Error) })
    }
    await startAgain()
    await until(async () => JSON.stringify(await saved())?.includes('[4]'))
    expect(given).toEqual([1, 2, 3, 4])
    stop.abort()
    await run
  })

  it('ends on abort while Redis is down, without waiting for it', async () => {
    const { clock, model, pauses, run, saved, stop, until } = follow()
    await until(async () => JSON.stringify(await saved())?.includes('[2]'))
    await stopRedis()
    model.insert(1_790_000_002_000_000_000n)
    await until(() => pauses.length > 0)
    stop.abort()
    // The clock of the poll is not advanced, so nothing is waited for.
    await run
    expect(clock.pending).toBe(0)
  })

  it('rejects with a CheckpointError while Redis is down and after the client is closed', async () => {
    const store = redisCheckpoint({ client })
    const lease = await store.acquire?.('form')
    await stopRedis()
    for (const call of [
      () => store.load('form'),
      () => store.save('form', A),
      () => store.acquire?.('form'),
      () => lease?.save('form', A),
    ]) {
      const error = await Promise.resolve(call()).catch((error: unknown) => error)
      expect(error).toBeInstanceOf(CheckpointError)
      expect(error).toMatchObject({ reason: 'unavailable', cause: expect.any(Error) })
    }
    client.destroy()
    const error = await Promise.resolve(store.load('form')).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(CheckpointError)
    expect(error).toMatchObject({ cause: expect.any(Error) })
    expect(error).not.toHaveProperty('reason')
    await lease?.release()
    client = await connect((await redis.start()).url)
  })
})
