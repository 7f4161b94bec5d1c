import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { redisCheckpoint } from '../../src/checkpoint/redis.ts'
import { CheckpointError } from '../../src/index.ts'
import { connect, startRedis, useRedis } from '../support/redis-server.ts'
import { describeLeasedCheckpoint, expectOutage } from './checkpoint-suite.ts'

describe('the checkpoint in Redis', () => {
  const redis = useRedis()
  const prefix = 'test'
  beforeEach(() => redis.client.flushDb())
  const nameOf = (key: string, part: 'state' | 'lease' | 'fence') => `${prefix}:{${key}}:${part}`

  describeLeasedCheckpoint(() => ({
    store: (leaseMs, owner) => redisCheckpoint({ client: redis.client, prefix, leaseMs, owner }),
    setState: (key, text) => redis.client.set(nameOf(key, 'state'), text),
    place: (key) => `${nameOf(key, 'state')} in Redis`,
    expireLease: (key) => redis.client.del(nameOf(key, 'lease')),
    forget: (key) =>
      redis.client.del((['state', 'lease', 'fence'] as const).map((part) => nameOf(key, part))),
    holder: (key) => redis.client.get(nameOf(key, 'lease')),
    giveLeaseTo: (key, token) => redis.client.set(nameOf(key, 'lease'), token),
    expiresIn: (key) => redis.client.pTTL(nameOf(key, 'lease')),
  }))

  it('reports a permanent error reply as a CheckpointError without a reason', async () => {
    await redis.client.lPush(`${prefix}:{form}:state`, 'a list')
    const error = await Promise.resolve(redisCheckpoint({ client: redis.client, prefix }).load('form')).catch(
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

it('rejects with a CheckpointError while Redis is down, and after the client is closed', async () => {
  const redis = await startRedis()
  onTestFinished(redis.stop)
  const client = await connect(redis.url)
  const store = redisCheckpoint({ client })
  const lease = await store.acquire?.('form')
  // Not once() of node:events, which rejects on the client's 'error'.
  const gone = new Promise((resolve) => client.once('reconnecting', resolve))
  await redis.stop()
  await gone
  await expectOutage(store, lease)
  client.destroy()
  const error = await Promise.resolve(store.load('form')).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(CheckpointError)
  expect(error).toMatchObject({ cause: expect.any(Error) })
  expect(error).not.toHaveProperty('reason')
  await lease?.release()
})
