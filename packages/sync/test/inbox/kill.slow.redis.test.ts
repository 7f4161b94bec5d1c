import { join } from 'node:path'
import { fileCheckpoint } from '@formwire/sdk/checkpoint/file'
import { redisCheckpoint } from '@formwire/sdk/checkpoint/redis'
import { createMemoryDedupe } from '@formwire/webhook-verify/dedupe'
import { createRedisDedupe } from '@formwire/webhook-verify/dedupe/redis'
import { afterEach, describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { useRedis } from '../../../sdk/test/support/redis-server.ts'
import { InboxChaos } from '../support/inbox-chaos.ts'

const kills = Number(process.env.FORMWIRE_KILLS ?? 10)
const timeout = 3_600_000

describe('an inbox whose processes are killed while deliveries are lost, doubled and late', () => {
  const redis = useRedis()
  let chaos: InboxChaos | undefined
  afterEach(() => chaos?.close())

  it(`[DLV-10, POLL-02] loses nothing with a checkpoint file in ${kills} kills, and polls one response again at most after each`, {
    timeout,
  }, async () => {
    const directory = join(temporaryDirectory(), 'checkpoints')
    chaos = await InboxChaos.start([['receive', 'poll']], {
      settings: { redis: undefined, directory },
      checkpoint: fileCheckpoint(directory),
      dedupe: createMemoryDedupe(),
      expire: async () => undefined,
    })
    await chaos.run(kills)
    expect(chaos.missing(), 'no response lost').toEqual([])
    const handled = chaos.handled()
    expect(unique(handled.map(({ id, process }) => `${id} ${process}`)), 'none twice in one process').toBe(
      true,
    )
    const polled = handled.filter(({ source }) => source === 'poll')
    const again = polled.filter(({ id }, index) => polled.slice(index + 1).some((later) => later.id === id))
    expect(unique(again.map(({ process }) => process)), 'one unsaved at most in a process').toBe(true)
  })

  it(`[DLV-10, POLL-02] loses nothing with a checkpoint in Redis in ${kills} kills, and repeats only what was not recorded yet`, {
    timeout,
  }, async () => {
    const { client, url } = redis
    chaos = await InboxChaos.start([['receive'], ['receive'], ['poll']], {
      settings: { redis: url, directory: undefined },
      checkpoint: redisCheckpoint({ client, prefix: 'checkpoint' }),
      dedupe: createRedisDedupe(client, { prefix: 'dedupe:' }),
      async expire(name) {
        // Afterwards Redis has read what the process had sent before it died.
        await client.ping()
        await client.eval(EXPIRE, { keys: [], arguments: ['*', name] })
      },
    })
    await chaos.run(kills)
    expect(chaos.missing(), 'no response lost').toEqual([])
    expect(chaos.repeated(), 'none again that was recorded').toEqual([])

    const { form, service, proxy } = chaos
    const existing = service.submitted(form)
    const { delivered, lost, pending } = await chaos.inbox().reconcile({ since: new Date(0) })
    expect([delivered + lost.length, pending]).toEqual([existing.length, []])
    const lostIds = new Set(lost.map(({ id }) => id))
    expect(existing.filter((id) => lostIds.has(id) && proxy.acknowledged.has(id))).toEqual([])
    expect(existing.filter((id) => !lostIds.has(id) && !proxy.forwarded.has(id))).toEqual([])
  })
})

/** Deletes the claims and leases of a process. A fence has the same value as a lease, and stays. */
const EXPIRE = `
for _, key in ipairs(redis.call('KEYS', ARGV[1])) do
  local value = redis.call('GET', key)
  local owner = string.match(value, '^claim:([^:]+):')
  if string.match(key, ':lease$') then owner = string.match(value, '^([^:]+):') end
  if owner == ARGV[2] then redis.call('DEL', key) end
end`

function unique(values: readonly string[]): boolean {
  return new Set(values).size === values.length
}
