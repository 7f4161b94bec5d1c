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

describe('how long a delivery is remembered', () => {
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
})

/** A store on a clock that the test sets. */
function open() {
  const clock = { ms: 0 }
  return { clock, store: createMemoryStore(() => clock.ms) }
}

describe('createMemoryStore', () => {
  it('sweeps two entries per claimed key, from the oldest on', async () => {
    const { clock, store } = open()
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await store.claim([key], 'me', 10)
    clock.ms = 9
    await store.claim(['h'], 'me', 100)
    expect(store.size).toBe(8)
    const sizes: number[] = []
    clock.ms = 10
    for (const keys of [['i'], ['j', 'k'], ['l'], ['m']]) {
      await store.claim(keys, 'me', 100)
      sizes.push(store.size)
    }
    expect(sizes).toEqual([7, 5, 5, 6])
  })

  it('sweeps what was completed as well', async () => {
    const { clock, store } = open()
    await store.complete(['a', 'b'], 'me', 10)
    clock.ms = 10
    await store.claim(['c'], 'me', 10)
    expect(store.size).toBe(1)
  })

  it('keeps what has not expired through any number of sweeps', async () => {
    const { clock, store } = open()
    await store.claim(['kept'], 'me', 100)
    for (let index = 0; index < 50; index += 1) await store.claim([`${index}`], 'me', 1)
    clock.ms = 99
    for (let index = 50; index < 100; index += 1) await store.claim([`${index}`], 'me', 1)
    expect(await store.claim(['kept'], 'other', 100)).toBe('in_progress')
  })

  it('completes for as long as asked, also what has expired, but not what another owner holds', async () => {
    const { clock, store } = open()
    expect(await store.complete(['a'], 'me', 10)).toBe(true)
    clock.ms = 9
    expect(await store.claim(['a'], 'me', 5)).toBe('completed')
    clock.ms = 10
    expect(await store.claim(['a', 'b'], 'other', 5)).toBe('claimed')
    expect(await store.complete(['a', 'c'], 'me', 10)).toBe(false)
    expect([await store.claim(['a'], 'me', 5), await store.claim(['c'], 'me', 5)]).toEqual([
      'in_progress',
      'completed',
    ])
    expect(await store.complete(['a', 'b'], 'other', 10)).toBe(true)
    clock.ms = 19
    expect(await store.claim(['b'], 'me', 5)).toBe('completed')
  })
})

it('[DLV-10] gives each claim in memory another owner', async () => {
  let now = 0
  const dedupe = createMemoryDedupe({ now: () => now, claimMs: 10 })
  const event = verified(submitted())
  const first = await dedupe.claim(event)
  now = 10
  const second = await dedupe.claim(event)
  expect(first.state === 'claimed' && (await first.release())).toBe(false)
  expect(second.state === 'claimed' && (await second.release())).toBe(true)
})
