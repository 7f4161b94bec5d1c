import { redisCheckpoint } from '@formwire/sdk/checkpoint/redis'
import { createRedisDedupe } from '@formwire/webhook-verify/dedupe/redis'
import { expect, it, onTestFinished } from 'vitest'
import { useRedis } from '../../../sdk/test/support/redis-server.ts'
import { InboxChaos } from '../support/inbox-chaos.ts'

const kills = Number(process.env.FORMWIRE_KILLS ?? 10)

const redis = useRedis()

it(`[DLV-10, POLL-02] loses nothing in ${kills} kills of the processes of an inbox while deliveries are lost, doubled and late, and repeats only what was not recorded yet`, {
  timeout: 3_600_000,
}, async () => {
  const { client, url } = redis
  const chaos = await InboxChaos.start([['receive'], ['receive'], ['poll']], {
    redis: url,
    checkpoint: redisCheckpoint({ client, prefix: 'checkpoint' }),
    dedupe: createRedisDedupe(client, { prefix: 'dedupe:' }),
    async expire(name) {
      // Afterwards Redis has read what the process had sent before it died.
      await client.ping()
      await client.eval(EXPIRE, { keys: [], arguments: ['*', name] })
    },
  })
  onTestFinished(() => chaos.close())
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

/** Deletes the claims and leases of a process. A fence has the same value as a lease, and stays. */
const EXPIRE = `
for _, key in ipairs(redis.call('KEYS', ARGV[1])) do
  local value = redis.call('GET', key)
  local owner = string.match(value, '^claim:([^:]+):')
  if string.match(key, ':lease$') then owner = string.match(value, '^([^:]+):') end
  if owner == ARGV[2] then redis.call('DEL', key) end
end`
