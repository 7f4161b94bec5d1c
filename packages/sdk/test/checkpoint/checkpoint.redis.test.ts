import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../../test/support/free-port.ts'
import { redisCheckpoint } from '../../src/checkpoint/redis.ts'
import { CheckpointError } from '../../src/index.ts'
import { connect, OwnRedis, startRedis } from '../support/redis-server.ts'
import { describeLeasedCheckpoint, describeOutages, expectOutage } from './checkpoint-suite.ts'

describe('the checkpoint in Redis', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>
  let client: Awaited<ReturnType<typeof connect>>
  let number = 0
  let prefix = ''
  const nameOf = (key: string, part: 'state' | 'lease' | 'fence') => `${prefix}:{${key}}:${part}`

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

  describeLeasedCheckpoint(() => ({
    store: (leaseMs, owner) => redisCheckpoint({ client, prefix, leaseMs, owner }),
    setState: (key, text) => client.set(nameOf(key, 'state'), text),
    place: (key) => `${nameOf(key, 'state')} in Redis`,
    expireLease: (key) => client.del(nameOf(key, 'lease')),
    forget: (key) => client.del((['state', 'lease', 'fence'] as const).map((part) => nameOf(key, part))),
    holder: (key) => client.get(nameOf(key, 'lease')),
    giveLeaseTo: (key, token) => client.set(nameOf(key, 'lease'), token),
    expiresIn: (key) => client.pTTL(nameOf(key, 'lease')),
  }))

  it('reports a permanent error reply as a CheckpointError without a reason', async () => {
    await client.lPush(`${prefix}:{form}:state`, 'a list')
    const error = await Promise.resolve(redisCheckpoint({ client, prefix }).load('form')).catch(
      (error: unknown) => error,
    )
    expect(error).toBeInstanceOf(CheckpointError)
    expect(error).toMatchObject({ cause: expect.any(Error) })
    expect(error).not.toHaveProperty('reason')
    expect((error as Error).message).toBe(
      `Redis failed at the checkpoint ${prefix}:{form}:state (WRONGTYPE); see "cause".`,
    )
  })
})

describe('the checkpoint in Redis across restarts of Redis', () => {
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

  describeOutages(() => ({
    store: (leaseMs) => redisCheckpoint({ client, leaseMs }),
    state: (key) => client.get(`formwire:checkpoint:{${key}}:state`),
    halt: stopRedis,
    // It has lost its data.
    restart: startAgain,
  }))

  it('rejects with a CheckpointError while Redis is down and after the client is closed', async () => {
    const store = redisCheckpoint({ client })
    const lease = await store.acquire?.('form')
    await stopRedis()
    await expectOutage(store, lease)
    client.destroy()
    const error = await Promise.resolve(store.load('form')).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(CheckpointError)
    expect(error).toMatchObject({ cause: expect.any(Error) })
    expect(error).not.toHaveProperty('reason')
    await lease?.release()
    client = await connect((await redis.start()).url)
  })
})
