import { createDedupe, createMemoryStore } from '@formwire/webhook-verify/dedupe'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { submitted, verified } from './events.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A dedupe whose store renews claims with this function, and notes when. */
function renewedBy(renew: () => Promise<boolean>) {
  const renewedAt: number[] = []
  const start = Date.now()
  const store = {
    ...createMemoryStore(),
    renew(_keys: readonly string[], _owner: string, claimMs: number) {
      renewedAt.push(Date.now() - start)
      expect(claimMs).toBe(30_000)
      return renew()
    },
  }
  return { dedupe: createDedupe(store, { claimMs: 30_000 }), renewedAt }
}

it.each(['complete', 'release'] as const)(
  'renews a claim three times as often as it expires, until %s()',
  async (end) => {
    const { dedupe, renewedAt } = renewedBy(async () => true)
    const claim = await dedupe.claim(verified(submitted()))
    await vi.advanceTimersByTimeAsync(40_000)
    if (claim.state === 'claimed') await claim[end]()
    await vi.advanceTimersByTimeAsync(40_000)
    expect(renewedAt).toEqual([10_000, 20_000, 30_000, 40_000])
    expect(vi.getTimerCount()).toBe(0)
  },
)

it('renews a claim while a handler runs, and not after it', async () => {
  const { dedupe, renewedAt } = renewedBy(async () => true)
  const handled = dedupe.once(
    verified(submitted()),
    () => new Promise((resolve) => setTimeout(resolve, 25_000)),
  )
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await handled).toBe('claimed')
  expect(renewedAt).toEqual([10_000, 20_000])
})

it('stops to renew a claim that is lost', async () => {
  const { dedupe, renewedAt } = renewedBy(async () => renewedAt.length < 2)
  await dedupe.claim(verified(submitted()))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(renewedAt).toEqual([10_000, 20_000])
})

it('renews a claim again after a failure of the store', async () => {
  const { dedupe, renewedAt } = renewedBy(() => Promise.reject(new Error('down')))
  await dedupe.claim(verified(submitted()))
  await vi.advanceTimersByTimeAsync(25_000)
  expect(renewedAt).toEqual([10_000, 20_000])
})

it('does not renew a claim that ended while a renewal was in flight', async () => {
  let reply = (_held: boolean) => {}
  const { dedupe, renewedAt } = renewedBy(() => new Promise((resolve) => (reply = resolve)))
  const claim = await dedupe.claim(verified(submitted()))
  await vi.advanceTimersByTimeAsync(10_000)
  if (claim.state === 'claimed') await claim.complete()
  reply(true)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(renewedAt).toEqual([10_000])
})

it('sets no timer for a store that does not renew', async () => {
  await createDedupe(createMemoryStore()).claim(verified(submitted()))
  expect(vi.getTimerCount()).toBe(0)
})
