import { createReceiver } from '@formwire/webhook-verify'
import { createDedupe, createMemoryDedupe, createMemoryStore } from '@formwire/webhook-verify/dedupe'
import { createRedisDedupe } from '@formwire/webhook-verify/dedupe/redis'
import { describe, expect, it } from 'vitest'
import { leastCpuMs } from '../../../../test/support/least-cpu.ts'
import { describeDedupe } from './dedupe-suite.ts'
import { submitted, verified } from './events.ts'

describeDedupe('memory', async () => {
  let nowMs = 0
  return {
    store: createMemoryStore(() => nowMs),
    expireClaims: async () => {
      nowMs += 5 * 60_000
    },
  }
})

const receiverWith = (toleranceSeconds: number, keepMs: number) =>
  createReceiver({ secret: 'whsec_test', on: {}, toleranceSeconds, dedupe: createMemoryDedupe({ keepMs }) })

describe('the memory store', () => {
  it('[DLV-06] remembers deliveries for three days, longer than the retries last', async () => {
    let nowMs = 0
    const dedupe = createMemoryDedupe({ now: () => nowMs })
    const event = verified(submitted())
    await dedupe.once(event, () => {})
    nowMs = 3 * 86_400_000 - 1
    expect((await dedupe.claim(event)).state).toBe('completed')
    nowMs = 3 * 86_400_000
    expect((await dedupe.claim(event)).state).toBe('claimed')
  })

  it('keeps a claim for five minutes by default', async () => {
    let nowMs = 0
    const event = verified(submitted())
    const dedupe = createMemoryDedupe({ now: () => nowMs })
    await dedupe.claim(event)
    nowMs = 299_999
    expect((await dedupe.claim(event)).state).toBe('in_progress')
    nowMs = 300_000
    expect((await dedupe.claim(event)).state).toBe('claimed')
    const quick = createMemoryDedupe({ now: () => nowMs, claimMs: 10, keepMs: 300_000 })
    await quick.once(event, () => {})
    nowMs += 299_999
    expect((await quick.claim(event)).state).toBe('completed')
    nowMs += 1
    expect((await quick.claim(event)).state).toBe('claimed')
  })

  it('expires a claim at its deadline, even before the sweep reaches it', async () => {
    let nowMs = 0
    const store = createMemoryStore(() => nowMs)
    for (let index = 0; index < 10; index++) await store.claim([`key:${index}`], 'dead', 1000)
    nowMs = 999
    expect(await store.claim(['key:9'], 'next', 1000)).toBe('in_progress')
    nowMs = 1000
    expect(await store.claim(['key:9'], 'next', 1000)).toBe('claimed')
  })

  it('removes a few expired entries per call and stays small', async () => {
    let nowMs = 0
    const store = createMemoryStore(() => nowMs)
    let largest = 0
    for (let index = 0; index < 100_000; index++) {
      nowMs = index
      await store.claim([`key:${index}`], 'owner', 1000)
      largest = Math.max(largest, store.size)
    }
    // 1,000 entries are valid at any time; the sweep keeps the expired ones to about as many.
    expect(largest).toBeLessThan(3000)
  })

  it('stays small with test events, which claim two keys each', async () => {
    let nowMs = 0
    const store = createMemoryStore(() => nowMs)
    for (let index = 0; index < 10_000; index++) {
      nowMs = index
      await store.claim([`delivery:${index}`, `signature:${index}`], 'owner', 100)
    }
    expect(store.size).toBeLessThan(600)
  })

  it('is as fast with 200,000 entries as with 200', async () => {
    const perCall = async (size: number, enough?: number) => {
      const store = createMemoryStore(() => 0)
      for (let index = 0; index < size; index++) await store.claim([`key:${index}`], 'owner', 1000)
      return leastCpuMs(async () => {
        for (let index = 0; index < 20_000; index++) await store.claim([`key:${index % size}`], 'other', 1000)
      }, enough)
    }
    await perCall(200)
    const small = await perCall(200)
    // A store that iterates over its entries would be 1,000 times slower.
    const limit = small * 100 + 500
    expect(await perCall(200_000, limit)).toBeLessThan(limit)
  })

  it.each([0, -1, 1.5, Number.NaN, Infinity])('refuses a duration of %d', (keepMs) => {
    expect(() => createMemoryDedupe({ keepMs })).toThrow(RangeError)
    expect(() => createMemoryDedupe({ claimMs: keepMs })).toThrow(RangeError)
  })

  it.each([
    ['createDedupe', () => createDedupe(createMemoryStore(), { keepMs: 299_999 })],
    ['createMemoryDedupe', () => createMemoryDedupe({ keepMs: 299_999 })],
    ['createRedisDedupe', () => createRedisDedupe({ eval: async () => 1 }, { keepMs: 299_999 })],
    ['a longer tolerance', () => createMemoryDedupe({ keepMs: 599_999, toleranceSeconds: 600 })],
    ['a receiver with a longer tolerance', () => receiverWith(600, 599_999)],
  ])('[DLV-10] refuses to forget a delivery before its signature expires, with %s', (_name, create) => {
    expect(create).toThrow(
      expect.objectContaining({
        name: 'WebhookVerificationError',
        code: 'invalid_option',
        message: expect.stringMatching(
          /^keepMs must be at least the tolerance of signatures, [36]00000 ms, got /,
        ),
      }),
    )
  })

  it('may forget a delivery when its signature expires', () => {
    expect(createMemoryDedupe({ keepMs: 300_000 }).keepMs).toBe(300_000)
    const short = { keepMs: 60_000, toleranceSeconds: 60 }
    expect(createMemoryDedupe(short).keepMs).toBe(60_000)
    expect(createRedisDedupe({ eval: async () => 1 }, short).keepMs).toBe(60_000)
    expect(receiverWith(600, 600_000)).toBeTypeOf('function')
    expect(receiverWith(Number.POSITIVE_INFINITY, 300_000)).toBeTypeOf('function')
  })

  it('refuses an event without any key', async () => {
    const anonymous = { ...verified(submitted(0)), deliveryId: null } as never
    await expect(createMemoryDedupe().claim(anonymous)).rejects.toMatchObject({ code: 'invalid_option' })
  })
})
