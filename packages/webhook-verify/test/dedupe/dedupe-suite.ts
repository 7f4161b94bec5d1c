import { createDedupe, type Dedupe, type DedupeStore } from '@formwire/webhook-verify/dedupe'
import { beforeEach, describe, expect, it } from 'vitest'
import { SIGNED_AT, submitted, verified } from './events.ts'

/** Milliseconds after which claims and records expire that must outlast a stall of the machine. */
const LONG_MS = 60_000

/** A store to test. */
export interface StoreUnderTest {
  store: DedupeStore
  /** Expires all current claims. */
  expireClaims(): Promise<void>
}

/** The cases that every store must pass. */
export function describeDedupe(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`dedupe (${name})`, () => {
    let opened: StoreUnderTest
    let dedupe: Dedupe
    const event = verified(submitted())
    beforeEach(async () => {
      opened = await open()
      dedupe = createDedupe(opened.store)
    })

    it('[DLV-10] grants a delivery once, and never again after it is completed', async () => {
      const first = await dedupe.claim(event)
      expect(first.state).toBe('claimed')
      expect((await dedupe.claim(event)).state).toBe('in_progress')
      if (first.state === 'claimed') expect(await first.complete()).toBe(true)
      expect((await dedupe.claim(event)).state).toBe('completed')
    })

    it('[DLV-10] grants a delivery to one of 50 concurrent claims', async () => {
      const states = await Promise.all(
        Array.from({ length: 50 }, async () => (await dedupe.claim(event)).state),
      )
      expect(states.filter((state) => state === 'claimed')).toHaveLength(1)
      expect(states.filter((state) => state === 'in_progress')).toHaveLength(49)
    })

    it('[DLV-06] releases the claim when the handler throws, so that the retry is handled', async () => {
      const delivery = submitted()
      const failing = dedupe.once(verified(delivery), () => Promise.reject(new Error('database down')))
      await expect(failing).rejects.toThrow('database down')
      const retry = verified(delivery.retry(new Date('2026-11-21T09:31:00.000Z')))
      expect(await dedupe.once(retry, () => {})).toBe('claimed')
      expect(await dedupe.once(retry, () => expect.fail('handled twice'))).toBe('completed')
    })

    it("rethrows the handler's error even if the claim cannot be released", async () => {
      const release = () => Promise.reject(new Error('store down'))
      const unreleased = createDedupe({ ...opened.store, release })
      const failing = unreleased.once(event, () => Promise.reject(new Error('no such customer')))
      await expect(failing).rejects.toThrow('no such customer')
    })

    it('[DLV-08] [DLV-10] recognizes a replay and a forged delivery id as the same response', async () => {
      const delivery = submitted(1, 'dlv_1')
      await dedupe.once(verified(delivery), () => {})
      expect((await dedupe.claim(verified(delivery.replay()))).state).toBe('completed')
      expect((await dedupe.claim(verified(delivery.forgeDeliveryId('dlv_forged')))).state).toBe('completed')
      expect((await dedupe.claim(verified(submitted(2, 'dlv_1')))).state).toBe('claimed')
    })

    it("[DLV-08] handles replays again with by: 'delivery'", async () => {
      dedupe = createDedupe(opened.store, { by: 'delivery' })
      const delivery = submitted(1, 'dlv_1')
      await dedupe.once(verified(delivery), () => {})
      expect((await dedupe.claim(verified(delivery.retry(SIGNED_AT)))).state).toBe('completed')
      expect((await dedupe.claim(verified(delivery.replay({ deliveryId: 'dlv_2' })))).state).toBe('claimed')
    })

    it('lets another process take over an expired claim', async () => {
      const dead = await dedupe.claim(event)
      await opened.expireClaims()
      const next = await dedupe.claim(event)
      expect(next.state).toBe('claimed')
      // The first process was only slow: it can no longer release or complete the delivery.
      if (dead.state === 'claimed') {
        expect(await dead.release()).toBe(false)
        expect(await dead.complete()).toBe(false)
      }
      expect((await dedupe.claim(event)).state).toBe('in_progress')
      if (next.state === 'claimed') expect(await next.complete()).toBe(true)
      expect((await dedupe.claim(event)).state).toBe('completed')
    })

    it('completes an expired claim that no other process has taken over', async () => {
      const slow = await dedupe.claim(event)
      await opened.expireClaims()
      if (slow.state === 'claimed') expect(await slow.complete()).toBe(true)
      expect((await dedupe.claim(event)).state).toBe('completed')
    })

    it('reports a delivery as completed if any of its keys is completed', async () => {
      const { store } = opened
      await store.claim(['done'], 'first', LONG_MS)
      await store.complete(['done'], 'first', LONG_MS)
      await store.claim(['claimed'], 'second', LONG_MS)
      expect(await store.claim(['claimed', 'done'], 'third', LONG_MS)).toBe('completed')
      expect(await store.claim(['done', 'claimed'], 'third', LONG_MS)).toBe('completed')
    })

    it('claims, releases and completes every key', async () => {
      const { store } = opened
      await store.claim(['a', 'b'], 'first', LONG_MS)
      expect(await store.claim(['b'], 'second', LONG_MS)).toBe('in_progress')
      expect(await store.release(['a', 'b'], 'first')).toBe(true)
      expect(await store.claim(['b', 'c'], 'second', LONG_MS)).toBe('claimed')
      expect(await store.complete(['b', 'c'], 'second', LONG_MS)).toBe(true)
      expect(await store.claim(['c'], 'third', LONG_MS)).toBe('completed')
    })

    it('completes a completed claim again, and does not release it', async () => {
      const won = await dedupe.claim(event)
      if (won.state !== 'claimed') throw new Error('not claimed')
      expect([await won.complete(), await won.complete(), await won.release()]).toEqual([true, true, false])
      expect((await dedupe.claim(event)).state).toBe('completed')
    })
  })
}
