import type { Form } from '@formwire/contract'
import type { Formwire } from '@formwire/sdk'
import { describe, expect, it } from 'vitest'
import { Failures } from '../../src/failures.ts'
import type { SubmittedEvent, Sync } from '../../src/index.ts'
import { FollowPlan } from '../../src/plan/follow.ts'
import { followRounds } from '../support/follow-rounds.ts'
import { NOON, type Service, startService } from '../support/service.ts'

/** A client whose rate budget has `remaining()` requests left. */
function clientWith(service: Service, remaining: () => number): Formwire {
  const formwire = service.client()
  const budget = {
    get sent() {
      return formwire.budget.sent
    },
    get remaining() {
      return remaining()
    },
  }
  return Object.create(formwire, { budget: { value: budget }, me: { value: () => formwire.me() } })
}

const formsOf = (count: number): Form[] =>
  Array.from({ length: count }, (_, index) => ({ id: String(index), response_count: 3 }) as Form)

function newPlan(): FollowPlan {
  return new FollowPlan(10, new Failures({ now: () => NOON, setTimer: () => () => undefined }, () => 0))
}

function takeAll(plan: FollowPlan): string[] {
  const ids: string[] = []
  for (let form = plan.takeUnmoved(); form; form = plan.takeUnmoved()) ids.push(form.id)
  return ids
}

/** Delivers a response by webhook. */
const deliver = (sync: Sync, form: string, id: number | undefined): Promise<void> =>
  sync.handlers['response.submitted']({
    form: { id: form },
    response: {
      id,
      submitted_at: '2026-11-21T11:00:00.000Z',
      answers: [],
      score: null,
      max_score: null,
      meta: {},
    },
  } as unknown as SubmittedEvent)

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
    // Two pages of the list, in the first round the workspace and a page of each form, and in each tenth one up to a hundred forms that did not move.
    expect(costs).toEqual([123, 2, 2, 9, 2, 2, 2, 2, 2, 2, 102, 2])
    await service.server.close()
  })

  it.each([
    [0, [123, ...Array(9).fill(2), 12, 2]],
    // What the budget does not allow after the slow round is read after the next ones.
    [31, [123, ...Array(9).fill(2), 28, 28, 28, 24, 2]],
  ])('leaves enough of a rate budget for the next round, with %i requests left', async (left, expected) => {
    const service = await startService()
    for (let index = 0; index < 120; index += 1) service.form(`Form ${index}`)
    let before = 0
    const { costs } = await followRounds(service, expected.length, {
      formwire: clientWith(service, () => left - (service.requests - before)),
      between: () => {
        before = service.requests
      },
    })
    expect(costs).toEqual(expected)
    await service.server.close()
  })

  it('waits in the pause for requests of the last minute to expire', async () => {
    const service = await startService()
    for (let index = 0; index < 20; index += 1) service.form(`Form ${index}`)
    let waits = 0
    const { costs } = await followRounds(service, 12, {
      formwire: clientWith(service, () => (waits < 7 ? 0 : 100)),
      waited: () => {
        waits += 1
      },
    })
    expect(waits).toBe(7)
    expect(costs).toEqual([22, ...Array(9).fill(1), 21, 1])
    await service.server.close()
  })

  it('reads a form in the next round if a webhook wrote a row, although its count is equal', async () => {
    const service = await startService()
    const form = service.form()
    service.add(form, 2)
    const { app } = service.server
    const { live } = await followRounds(service, 3, {
      async between(round, sync) {
        if (round !== 0) return
        app.responses.delete(form, service.submitted(form)[0] as number)
        const [id] = service.add(form, 1)
        await deliver(sync, form, id)
      },
    })
    expect(live).toEqual([2, 3])
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

  it('reads a form that was trashed and restored, although its count is equal', () => {
    const plan = newPlan()
    const forms = formsOf(3)
    const idsOf = (listed: readonly Form[]): string[] => {
      plan.setForms(listed)
      const moved = plan.next(true)
      for (const form of moved) plan.done(form, { complete: true })
      plan.endRound()
      return moved.map(({ id }) => id)
    }
    expect([forms, forms.slice(1), forms, forms].map(idsOf)).toEqual([['0', '1', '2'], [], ['0'], []])
  })

  it('sweeps the drafts of a form that changes in all rounds but the slow ones', () => {
    const plan = newPlan()
    const swept: number[] = []
    for (let round = 0; round < 100; round += 1) {
      const count = 3 + round - (round % 10 === 0 ? 1 : 0)
      plan.setForms(formsOf(300).map((form) => (form.id === '7' ? { ...form, response_count: count } : form)))
      // Drafts are swept in slow rounds and in turns.
      const complete = plan.isSlow
      for (const form of plan.next(true)) {
        plan.done(form, { complete })
        if (complete && form.id === '7') swept.push(round)
      }
      if (takeAll(plan).includes('7')) swept.push(round)
      plan.endRound()
    }
    expect(swept).toEqual([0, 10, 40, 70])
  })

  it('reads a form in the next round after a delivery of a response that a poll had read before', async () => {
    const service = await startService()
    const form = service.form()
    const [, known] = service.add(form, 2)
    const { app } = service.server
    const { live } = await followRounds(service, 3, {
      async between(round, sync) {
        if (round !== 0) return
        app.responses.delete(form, service.submitted(form)[0] as number)
        service.add(form, 1)
        await deliver(sync, form, known)
      },
    })
    expect(live).toEqual([2, 3])
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
    const plan = newPlan()
    const forms = formsOf(10_000)
    const costs: number[] = []
    const seen: string[] = []
    for (let round = 0; round < 31; round += 1) {
      // The list begins with the form that was updated last.
      plan.setForms([...forms.slice(round * 50), ...forms.slice(0, round * 50)])
      const moved = plan.next(true)
      for (const form of moved) plan.done(form, { complete: true })
      const unmoved = takeAll(plan)
      costs.push(moved.length + unmoved.length)
      seen.push(...unmoved)
      plan.endRound()
    }
    const idle = Array(9).fill(0)
    expect(costs).toEqual([10_000, ...idle, 100, ...idle, 100, ...idle, 100])
    expect(new Set(seen).size).toBe(300)
  })

  it('reads one form in a hundred, of any number, in a slow round whatever the rate budget leaves', () => {
    const leastOf = (count: number): number[] => {
      const plan = newPlan()
      for (let round = 0; round < 10; round += 1) {
        plan.setForms(formsOf(count))
        for (const form of plan.next(true)) plan.done(form, { complete: true })
        plan.endRound()
      }
      plan.next(true)
      const { leastUnmoved } = plan
      return [leastUnmoved, takeAll(plan).length]
    }
    expect([30, 1000, 10_000, 25_001].map(leastOf)).toEqual([
      [10, 30],
      [10, 100],
      [100, 100],
      [251, 251],
    ])
  })

  it('reads first what was read longest ago, and nothing that was read since the slow round', () => {
    const plan = newPlan()
    const forms = formsOf(300)
    const rounds = (count: number, moved: readonly Form[] = []): void => {
      for (let round = 0; round < count; round += 1) {
        plan.setForms(forms)
        for (const form of plan.next(true)) plan.done(form, { complete: true })
        for (const form of round === 0 ? moved : []) plan.done(form, { complete: true })
        plan.endRound()
      }
    }
    rounds(3)
    // 200 forms are read in the fourth round, so that the others have their turn.
    rounds(7, forms.slice(0, 200))
    plan.setForms(forms)
    plan.next(true)
    for (const form of forms.slice(200, 250)) plan.done(form, { complete: true })
    expect(takeAll(plan)).toEqual(forms.slice(250).map(({ id }) => id))
  })

  it('reads each of up to a hundred forms within ten rounds', () => {
    for (const count of [1, 9, 55, 100]) {
      const plan = newPlan()
      const forms = formsOf(count)
      const seen = new Set<string>()
      for (let round = 0; round < 11; round += 1) {
        plan.setForms(forms)
        for (const form of plan.next(true)) plan.done(form, { complete: true })
        for (const id of takeAll(plan)) seen.add(id)
        plan.endRound()
      }
      expect(seen.size).toBe(count)
    }
  })
})
