import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createRedisDedupe, createRedisStore } from '@formwire/webhook-verify/dedupe/redis'
import { createClient } from 'redis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bundled } from '../../../../test/support/bundled.ts'
import { startRedis } from '../../../sdk/test/support/redis-server.ts'
import { describeDedupe } from './dedupe-suite.ts'
import { submitted, verified } from './events.ts'

describe('on a real Redis', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>
  let client: ReturnType<typeof createClient>
  const children: ChildProcess[] = []

  beforeAll(async () => {
    redis = await startRedis()
    client = createClient({ url: redis.url })
    await client.connect()
  })
  beforeEach(() => forget())
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })
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

  async function worker(count: number, mode = 'work') {
    const program = await bundled(new URL('claim-worker.ts', import.meta.url))
    const args = [program, 'redis', redis.url, String(count), mode]
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    children.push(child)
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    return { child, nextLine: async () => (await lines.next()).value as string }
  }

  it('[DLV-10] grants every delivery to one of three concurrent processes', async () => {
    const workers = await Promise.all([worker(200), worker(200), worker(200)])
    for (const { nextLine } of workers) expect(await nextLine()).toBe('ready')
    for (const { child } of workers) child.stdin?.write('go\n')
    const won = (
      await Promise.all(workers.map(async ({ nextLine }) => JSON.parse(await nextLine()) as number[]))
    ).flat()
    expect(won.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1))
  })

  it('[DLV-10] grants the delivery of a killed process again once its claim has expired', async () => {
    const { child, nextLine } = await worker(1, 'hang')
    expect(await nextLine()).toBe('ready')
    child.stdin?.write('go\n')
    expect(await nextLine()).toBe('claimed')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const dedupe = createRedisDedupe(client)
    const event = verified(submitted(1))
    expect((await dedupe.claim(event)).state).toBe('in_progress')
    await expireClaims()
    expect(await dedupe.once(event, () => {})).toBe('claimed')
  })
})
