import type { Form } from '@formwire/contract'
import { describe, expect, it } from 'vitest'
import { createSync, type SyncOptions } from '../../src/index.ts'
import { FollowPlan } from '../../src/plan/follow.ts'
import { type Service, startService } from '../support/service.ts'
import { sqliteDatabase } from '../support/stores.ts'

/** Follows all forms for some rounds, and returns the requests of each. `between` is called after each round, counted from 0. */
async function followRounds(
  service: Service,
  rounds: number,
  { between, ...options }: { between?: (round: number) => void } & Partial<SyncOptions<unknown>> = {},
): Promise<{ costs: number[]; live: number[] }> {
  const database = sqliteDatabase()
  const stop = new AbortController()
  /** Requests up to the end of each round. */
  const requests = [0]
  const clock = {
    now: () => service.server.clock.now(),
    setTimer(callback: () => void) {
      requests.push(service.requests)
      const round = requests.length - 2
      if (round + 1 === rounds) stop.abort()
      else between?.(round)
      const timer = setImmediate(callback)
      return () => clearImmediate(timer)
    },
  }
  const store = database.store()
  const formwire = service.client()
  await createSync({ formwire, store, forms: 'all', signal: stop.signal, clock, ...options }).run()
  const rows = await database.query('SELECT id FROM formwire_responses WHERE deleted_at IS NULL ORDER BY id')
  await database.close()
  return {
    costs: requests.slice(1).map((sum, index) => sum - (requests[index] as number)),
    live: rows.map(({ id }) => Number(id)),
  }
}

const formsOf = (count: number): Form[] =>
  Array.from({ length: count }, (_, index) => ({ id: String(index), response_count: 3 }) as Form)

function takeAll(plan: FollowPlan): string[] {
  const ids: string[] = []
  for (let form = plan.takeUnmoved(); form; form = plan.takeUnmoved()) ids.push(form.id)
  return ids
}

describe('following all forms', () => {
  it('reads only the list of forms while nothing changes, and each form whose count changed', async () => {
    const service = await startService()
    const forms = Array.from({ length: 120 }, (_, index) => service.form(`Form ${index}`))
    for (const form of forms) service.add(form, 1)
    const { costs } = await followRounds(service, 12, {
      between(round) {
        if (round === 2) for (const form of forms.slice(100, 107)) service.add(form, 2)
      },
    })
    // Two pages of the list, in the first round a page of each form, and in each tenth one up to a hundred forms that did not move.
    expect(costs).toEqual([122, 2, 2, 9, 2, 2, 2, 2, 2, 2, 102, 2])
    await service.server.close()
  })

  it.each([
    [0, [122, ...Array(9).fill(2), 12, 2]],
    [31, [122, ...Array(9).fill(2), 29, 2]],
  ])('leaves enough of a rate budget for the next round, with %i requests left', async (left, expected) => {
    const service = await startService()
    for (let index = 0; index < 120; index += 1) service.form(`Form ${index}`)
    const formwire = service.client()
    let before = 0
    const budget = {
      get sent() {
        return formwire.budget.sent
      },
      get remaining() {
        return left - (service.requests - before)
      },
    }
    const { costs } = await followRounds(service, expected.length, {
      formwire: Object.create(formwire, { budget: { value: budget } }),
      between: () => {
        before = service.requests
      },
    })
    expect(costs).toEqual(expected)
    await service.server.close()
  })

  it('finds what the counts hide in a slow round, also while another form always fails', async () => {
    const service = await startService()
    const { app } = service.server
    const [broken, hidden] = [service.form('Broken'), service.form('Hidden')]
    for (const form of [broken, hidden]) service.add(form, 2)
    const changes: string[] = []
    const { live } = await followRounds(service, 14, {
      formwire: service.client({ maxRetries: 0 }),
      between(round) {
        if (round === 0) {
          app.faults.add({ path: `/api/v1/forms/${broken}/responses`, status: 500 })
          service.add(broken, 1)
        }
        if (round !== 1) return
        // The count stays equal.
        app.responses.delete(hidden, service.submitted(hidden)[0] as number)
        service.add(hidden, 1)
      },
      onChanges: (all) => void changes.push(...all.map(({ kind, id }) => `${kind} ${id}`)),
    })
    expect(changes.slice(4)).toEqual(['inserted 6', 'deleted 3'])
    expect(live).toEqual([1, 2, 4, 6])
    await service.server.close()
  })

  it('sweeps the drafts of a form that changes in every round, in a slow round', async () => {
    const service = await startService()
    const form = service.form()
    service.add(form, 1)
    const { app } = service.server
    let draft = 0
    const { live } = await followRounds(service, 12, {
      drafts: true,
      between(round) {
        if (round === 0) draft = app.responses.create(form, { status: 'in_progress' }).id
        service.add(form, 1, () => '2026-11-21T11:00:00.000Z')
      },
    })
    expect(live).toContain(draft)
    await service.server.close()
  })

  it('reports a form that is lost once', async () => {
    const service = await startService()
    const [kept, lost] = [service.form('Kept'), service.form('Lost')]
    for (const form of [kept, lost]) service.add(form, 1)
    const { app } = service.server
    for (const forms of ['all', [kept, lost]] as const) {
      const reported: string[] = []
      await followRounds(service, 23, {
        forms,
        between(round) {
          if (round === 1) app.forms.trash(lost)
        },
        onFormLost: (id) => void reported.push(id),
      })
      expect(reported).toEqual([lost])
      app.forms.restore(lost)
    }
    await service.server.close()
  })

  it('reads no idle form of 10,000 in nine rounds of ten, and a hundred in the tenth, one after the other', () => {
    const plan = new FollowPlan(10)
    const forms = formsOf(10_000)
    const costs: number[] = []
    const seen: string[] = []
    for (let round = 0; round < 31; round += 1) {
      // The list begins with the form that was updated last.
      plan.setForms([...forms.slice(round * 50), ...forms.slice(0, round * 50)])
      const moved = plan.next(true)
      for (const form of moved) plan.done(form)
      const unmoved = takeAll(plan)
      costs.push(moved.length + unmoved.length)
      seen.push(...unmoved)
      plan.endRound()
    }
    const idle = Array(9).fill(0)
    expect(costs).toEqual([10_000, ...idle, 100, ...idle, 100, ...idle, 100])
    expect(new Set(seen).size).toBe(300)
  })

  it('reads each of up to a hundred forms within ten rounds', () => {
    for (const count of [1, 9, 55, 100]) {
      const plan = new FollowPlan(10)
      const forms = formsOf(count)
      const seen = new Set<string>()
      for (let round = 0; round < 11; round += 1) {
        plan.setForms(forms)
        for (const form of plan.next(true)) plan.done(form)
        for (const id of takeAll(plan)) seen.add(id)
        plan.endRound()
      }
      expect(seen.size).toBe(count)
    }
  })
})
