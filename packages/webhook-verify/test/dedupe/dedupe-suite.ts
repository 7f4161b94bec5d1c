import { createDedupe, type DedupeStore } from '@formwire/webhook-verify/dedupe'
import { beforeEach, describe, expect, it } from 'vitest'
import { ping, SIGNED_AT, submitted, verified } from './events.ts'

/** What one store offers the suite. */
export interface StoreUnderTest {
  store: DedupeStore
  /** Makes the time of every claim held now run out. */
  expireClaims(): Promise<void>
}

/** What every store must do; memory and Redis both run it. */
export function describeDedupe(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`dedupe (${name})`, () => {
    let opened: StoreUnderTest
    beforeEach(async () => {
      opened = await open()
    })

    it('[DLV-10] gives a delivery once, and never again when it is done', async () => {
      const dedupe = createDedupe(opened.store)
      const event = verified(submitted())
      const first = await dedupe.claim(event)
      expect(first.state).toBe('claimed')
      expect((await dedupe.claim(event)).state).toBe('in_progress')
      if (first.state === 'claimed') expect(await first.complete()).toBe(true)
      expect((await dedupe.claim(event)).state).toBe('completed')
    })

    it('[DLV-10] gives it to one of many that ask at once', async () => {
      const dedupe = createDedupe(opened.store)
      const event = verified(submitted())
      const states = await Promise.all(
        Array.from({ length: 50 }, async () => (await dedupe.claim(event)).state),
      )
      expect(states.filter((state) => state === 'claimed')).toHaveLength(1)
      expect(states.filter((state) => state === 'in_progress')).toHaveLength(49)
    })

    it('[DLV-06] leaves a delivery open for its retry when the handler throws', async () => {
      const dedupe = createDedupe(opened.store)
      const delivery = submitted()
      const failing = dedupe.once(verified(delivery), () => Promise.reject(new Error('database down')))
      await expect(failing).rejects.toThrow('database down')
      const retry = verified(delivery.retry(new Date('2026-11-21T09:31:00.000Z')))
      expect(await dedupe.once(retry, () => {})).toBe('claimed')
      expect(await dedupe.once(retry, () => expect.fail('handled twice'))).toBe('completed')
    })

    it("throws the handler's own error, also when the claim cannot be released", async () => {
      const release = () => Promise.reject(new Error('store down'))
      const dedupe = createDedupe({ ...opened.store, release })
      const failing = dedupe.once(verified(submitted()), () => Promise.reject(new Error('no such customer')))
      await expect(failing).rejects.toThrow('no such customer')
    })

    it('[DLV-08] [DLV-10] takes a replay, and a forged delivery id, for the same response', async () => {
      const dedupe = createDedupe(opened.store)
      const delivery = submitted(1, 'dlv_1')
      await dedupe.once(verified(delivery), () => {})
      expect((await dedupe.claim(verified(delivery.replay()))).state).toBe('completed')
      expect((await dedupe.claim(verified(delivery.forgeDeliveryId('dlv_forged')))).state).toBe('completed')
      expect((await dedupe.claim(verified(submitted(2, 'dlv_1')))).state).toBe('claimed')
    })

    it('[DLV-02] [DLV-10] knows a ping by its delivery id and by its signature', async () => {
      const dedupe = createDedupe(opened.store)
      const delivery = ping('dlv_1')
      await dedupe.once(verified(delivery), () => {})
      expect((await dedupe.claim(verified(delivery.retry(new Date('2026-11-21T09:31:00.000Z'))))).state).toBe(
        'completed',
      )
      expect((await dedupe.claim(verified(delivery.forgeDeliveryId('dlv_2')))).state).toBe('completed')
      const another = ping('dlv_2').retry(new Date('2026-11-21T09:30:01.000Z'))
      expect((await dedupe.claim(verified(another))).state).toBe('claimed')
    })

    it("[DLV-08] handles replays again with by: 'delivery'", async () => {
      const dedupe = createDedupe(opened.store, { by: 'delivery' })
      const delivery = submitted(1, 'dlv_1')
      await dedupe.once(verified(delivery), () => {})
      expect((await dedupe.claim(verified(delivery.retry(SIGNED_AT)))).state).toBe('completed')
      expect((await dedupe.claim(verified(delivery.replay({ deliveryId: 'dlv_2' })))).state).toBe('claimed')
    })

    it('lets another process take over when the claim of a dead one runs out', async () => {
      const dedupe = createDedupe(opened.store)
      const event = verified(submitted())
      const dead = await dedupe.claim(event)
      await opened.expireClaims()
      const next = await dedupe.claim(event)
      expect(next.state).toBe('claimed')
      // The dead one was only slow: it can neither release nor complete what is another's by now.
      if (dead.state === 'claimed') {
        expect(await dead.release()).toBe(false)
        expect(await dead.complete()).toBe(false)
      }
      expect((await dedupe.claim(event)).state).toBe('in_progress')
      if (next.state === 'claimed') expect(await next.complete()).toBe(true)
      expect((await dedupe.claim(event)).state).toBe('completed')
    })

    it('completes a claim that ran out when nobody took it over', async () => {
      const dedupe = createDedupe(opened.store)
      const event = verified(submitted())
      const slow = await dedupe.claim(event)
      await opened.expireClaims()
      if (slow.state === 'claimed') expect(await slow.complete()).toBe(true)
      expect((await dedupe.claim(event)).state).toBe('completed')
    })

    it('does not give up what is done', async () => {
      const dedupe = createDedupe(opened.store)
      const event = verified(submitted())
      const won = await dedupe.claim(event)
      if (won.state !== 'claimed') throw new Error('not claimed')
      await won.complete()
      expect(await won.release()).toBe(false)
      expect((await dedupe.claim(event)).state).toBe('completed')
    })
  })
}
