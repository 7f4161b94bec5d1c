import { createRedisDedupe, createRedisStore } from '@formwire/webhook-verify/dedupe/redis'
import { createClient } from 'redis'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startRedis } from '../../../sdk/test/support/redis-server.ts'
import { describeDedupe } from './dedupe-suite.ts'
import { submitted, verified } from './events.ts'
import { itIsShared } from './processes-suite.ts'

describe('on a real Redis', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>
  let client: ReturnType<typeof createClient>

  beforeAll(async () => {
    redis = await startRedis()
    client = createClient({ url: redis.url })
    await client.connect()
  })
  beforeEach(() => forget())
  afterAll(async () => {
    client.destroy()
    await redis.stop()
  })

  /** Deletes only keys of these tests, since the Redis at REDIS_URL may have others. */
  async function forget(): Promise<void> {
    const keys = await client.keys('formwire:dedupe:*')
    if (keys.length > 0) await client.del(keys)
  }

  async function expireClaims(): Promise<void> {
    for (const key of await client.keys('formwire:dedupe:*')) await client.pExpireAt(key, 1)
  }

  describeDedupe('redis', async () => ({ store: createRedisStore(client), expireClaims }))

  it('lets Redis expire the keys', async () => {
    const dedupe = createRedisDedupe(client, {
      prefix: 'formwire:dedupe:shop:',
      claimMs: 60_000,
      keepMs: 390_000,
    })
    const won = await dedupe.claim(verified(submitted(7)))
    const key = 'formwire:dedupe:shop:response.submitted:Fm3xAmpLe0Id:7'
    expect(await client.get(key)).toMatch(/^claim:[0-9a-f-]{36}$/)
    const claimed = await client.pTTL(key)
    expect(claimed > 50_000 && claimed <= 60_000).toBe(true)
    if (won.state === 'claimed') await won.complete()
    expect(await client.get(key)).toBe('done')
    const kept = await client.pTTL(key)
    expect(kept > 380_000 && kept <= 390_000).toBe(true)
  })

  itIsShared('redis', { url: () => redis.url, create: () => createRedisDedupe(client), expireClaims })
})
