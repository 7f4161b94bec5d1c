import { beforeEach, describe, expect, it } from 'vitest'
import { type RedisBudgetOptions, redisBudget } from '../../src/budget/redis.ts'
import { Formwire, type FormwireOptions, UsageError } from '../../src/index.ts'
import { fakeTransport, ME } from '../support/fake-transport.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { useRedis } from '../support/redis-server.ts'
import { claim, describeSharedBudget, itSendsNothing, START } from './budget-suite.ts'

describe('the rate budget in Redis', () => {
  const redis = useRedis()
  const prefix = 'test'
  beforeEach(() => redis.client.flushDb())

  describeSharedBudget(() => ({
    store(counted, now) {
      const client = {
        eval: (...call: Parameters<typeof redis.client.eval>) => counted(redis.client.eval(...call)),
      }
      return redisBudget({ client, prefix, now })
    },
    worker: ['redis', redis.url, prefix],
  }))

  it('throws a UsageError if Redis refuses', async () => {
    const clock = new ManualClock(START)
    const store = redisBudget({ client: redis.client, prefix, now: () => clock.now() })
    const budget = store.budget(1, clock)
    await redis.client.set(`${prefix}:{1}:slots`, 'a string')
    await expect(budget.start(claim({}))).rejects.toThrow(UsageError)
    await expect(budget.start(claim({}))).rejects.toThrow(
      `Redis failed at the rate budget ${prefix}:{1}:slots (WRONGTYPE); nothing was sent. See "cause".`,
    )
  })
})

describe('a shared rate budget without its Redis', () => {
  const clients: [string, RedisBudgetOptions['client']][] = [
    ['fails', { eval: async () => Promise.reject(new Error('connect ECONNREFUSED 127.0.0.1:6379')) }],
    ['reconnects', { isOpen: true, isReady: false, eval: async () => [1, 0, 0, 4] }],
    ['does not reply', { isOpen: true, eval: () => new Promise(() => {}) }],
  ]
  itSendsNothing(clients.map(([what, client]) => [what, redisBudget({ client })]))

  it('continues when it is back within ten seconds', async () => {
    const clock = new ManualClock(START)
    const client = {
      eval: async () => {
        if (clock.now() < START + 3000) throw new Error('connect ECONNREFUSED 127.0.0.1:6379')
        return [1, 0, 0, 4]
      },
    }
    const rateLimit = { perMinute: 5, store: redisBudget({ client }) }
    const transport = fakeTransport(ME)
    await clock.runUntil(new Formwire({ apiKey: 'svc_k', clock, rateLimit, transport }).me())
    expect(transport.requests).toHaveLength(1)
    expect(clock.now() - START).toBe(3000)
  })

  it.each([
    [{ client: {} }, '"client" must be a connected client of the package redis, got object.'],
    [{ client: { eval() {} }, prefx: 'x' }, 'redisBudget(): unknown name "prefx"; did you mean "prefix"?'],
  ])('refuses %j', (options, message) => {
    expect(() => redisBudget(options as unknown as RedisBudgetOptions)).toThrow(new UsageError(message))
  })

  it('refuses a store that is not one', () => {
    const rateLimit = { perMinute: 5, store: {} } as unknown as FormwireOptions['rateLimit']
    expect(() => new Formwire({ apiKey: 'svc_k', baseUrl: 'http://127.0.0.1', rateLimit })).toThrow(
      '"rateLimit.store" must be a store, such as redisBudget({ client }), got object.',
    )
  })
})
