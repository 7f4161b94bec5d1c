import { createRedisDedupe, createRedisStore } from '@formwire/webhook-verify/dedupe/redis'
import { describe, expect, it } from 'vitest'
import { submitted, verified } from './events.ts'

/** A client that returns these replies, and notes what it was asked for. */
function clientWith(...replies: unknown[]) {
  const calls: { keys: string[]; arguments: string[] }[] = []
  return {
    calls,
    eval: async (_script: string, options: { keys: string[]; arguments: string[] }) => {
      calls.push(options)
      return replies.shift()
    },
  }
}

describe('the Redis store', () => {
  it('reads replies as numbers, texts or bytes', async () => {
    const store = createRedisStore(clientWith(Buffer.from('in_progress'), 1, '1', 0, '0'))
    expect(await store.claim(['a'], 'me', 10)).toBe('in_progress')
    expect([await store.complete(['a'], 'me', 10), await store.release(['a'], 'me')]).toEqual([true, true])
    expect([await store.complete(['a'], 'me', 10), await store.release(['a'], 'me')]).toEqual([false, false])
  })

  it('uses the prefix, the durations and the owners of createRedisDedupe', async () => {
    const client = clientWith('claimed', 1)
    const options = { prefix: 'shop:', claimMs: 10, keepMs: 300_000, newOwner: () => 'me' }
    const won = await createRedisDedupe(client, options).claim(verified(submitted(7)))
    expect(won.state === 'claimed' && (await won.complete())).toBe(true)
    const keys = ['shop:response.submitted:Fm3xAmpLe0Id:7']
    expect(client.calls).toEqual([
      { keys, arguments: ['me', '10'] },
      { keys, arguments: ['me', '300000'] },
    ])
  })

  it('remembers deliveries for three days, and claims them for five minutes, with a random owner', async () => {
    const client = clientWith('claimed', 1, 'claimed')
    const dedupe = createRedisDedupe(client)
    const won = await dedupe.claim(verified(submitted(7)))
    if (won.state === 'claimed') await won.complete()
    await dedupe.claim(verified(submitted(8)))
    const [claim, completion, second] = client.calls.map((call) => call.arguments)
    expect(claim).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), '300000'])
    expect(completion).toEqual([claim?.[0], '259200000'])
    expect(second?.[0]).not.toBe(claim?.[0])
  })
})
