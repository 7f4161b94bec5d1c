import { createReceiver } from '@formwire/webhook-verify'
import { createDedupe, createMemoryDedupe, createMemoryStore } from '@formwire/webhook-verify/dedupe'
import { createRedisDedupe } from '@formwire/webhook-verify/dedupe/redis'
import { describe, expect, it } from 'vitest'
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
