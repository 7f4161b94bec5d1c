import { createRedisDedupe, createRedisStore } from '@formwire/webhook-verify/dedupe/redis'
import { beforeEach, describe, expect, it } from 'vitest'
import { useRedis } from '../../../sdk/test/support/redis-server.ts'
import { describeDedupe } from './dedupe-suite.ts'
import { submitted, verified } from './events.ts'
import { itIsShared } from './processes-suite.ts'

describe('on a real Redis', () => {
  const redis = useRedis()
  beforeEach(() => redis.client.flushDb())

  async function expireClaims(): Promise<void> {
    for (const key of await redis.client.keys('formwire:dedupe:*')) await redis.client.pExpireAt(key, 1)
  }

  describeDedupe('redis', async () => ({ store: createRedisStore(redis.client), expireClaims }))

  it('lets Redis expire the keys', async () => {
    const dedupe = createRedisDedupe(redis.client, {
      prefix: 'formwire:dedupe:shop:',
      claimMs: 60_000,
      keepMs: 390_000,
    })
    const won = await dedupe.claim(verified(submitted(7)))
    const key = 'formwire:dedupe:shop:response.submitted:Fm3xAmpLe0Id:7'
    expect(await redis.client.get(key)).toMatch(/^claim:[0-9a-f-]{36}$/)
    const claimed = await redis.client.pTTL(key)
    expect(claimed > 50_000 && claimed <= 60_000).toBe(true)
    if (won.state === 'claimed') await won.complete()
    expect(await redis.client.get(key)).toBe('done')
    const kept = await redis.client.pTTL(key)
    expect(kept > 380_000 && kept <= 390_000).toBe(true)
  })

  itIsShared('redis', () => redis.url)
})
