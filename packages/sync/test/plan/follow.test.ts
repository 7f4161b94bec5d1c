import type { Form } from '@formwire/contract'
import { describe, expect, it } from 'vitest'
import { createSync } from '../../src/index.ts'
import { FollowPlan } from '../../src/plan/follow.ts'
import { startService } from '../support/service.ts'
import { sqliteDatabase } from '../support/stores.ts'

describe('following all forms', () => {
  it('asks for the list and ten forms a round while nothing changes, and for each form that changed', async () => {
    const service = await startService()
    const database = sqliteDatabase()
    const forms = Array.from({ length: 120 }, (_, index) => service.form(`Form ${index}`))
    for (const form of forms) service.add(form, 1)
    const stop = new AbortController()
    /** Requests up to the end of each round. */
    const requests: number[] = []
    const clock = {
      now: () => service.server.clock.now(),
      setTimer(callback: () => void) {
        requests.push(service.requests)
        if (requests.length === 3) for (const form of forms.slice(100, 107)) service.add(form, 2)
        if (requests.length === 5) stop.abort()
        const timer = setImmediate(callback)
        return () => clearImmediate(timer)
      },
    }
    const formwire = service.client()
    const summary = await createSync({
      formwire,
      store: database.store(),
      forms: 'all',
      signal: stop.signal,
      clock,
    }).run()
    expect(summary.inserted).toBe(134)
    // Two pages of the list, and a page of each form.
    expect(requests[0]).toBe(122)
    const costs = requests.slice(1).map((sum, index) => sum - (requests[index] as number))
    expect(costs).toEqual([12, 12, 19, 12])
    await database.close()
    await service.server.close()
  })

  it('looks at ten of 10,000 idle forms a round, one after the other', () => {
    const plan = new FollowPlan(10)
    const forms = Array.from(
      { length: 10_000 },
      (_, index) => ({ id: String(index), response_count: 3 }) as Form,
    )
    plan.setForms(forms)
    expect(plan.next(true).moved).toHaveLength(10_000)
    for (const form of forms) plan.done(form)
    const seen: string[] = []
    for (let round = 0; round < 20; round += 1) {
      plan.setForms(forms)
      const { moved, slow } = plan.next(true)
      expect([moved.length, slow.length]).toEqual([0, 10])
      seen.push(...slow.map(({ id }) => id))
      plan.endRound()
    }
    expect(seen).toEqual(forms.slice(0, 200).map(({ id }) => id))
  })

  it('looks at each of up to a hundred forms within ten rounds', () => {
    for (const count of [1, 9, 55, 100]) {
      const plan = new FollowPlan(10)
      const forms = Array.from(
        { length: count },
        (_, index) => ({ id: String(index), response_count: 3 }) as Form,
      )
      plan.setForms(forms)
      for (const form of forms) plan.done(form)
      const seen = new Set<string>()
      for (let round = 0; round < 10; round += 1) {
        for (const { id } of plan.next(true).slow) seen.add(id)
        plan.endRound()
      }
      expect(seen.size).toBe(count)
    }
  })
})
