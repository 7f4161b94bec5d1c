import type { Formwire } from '@formwire/sdk'
import { describe, expect, it } from 'vitest'
import type { SyncSummary } from '../../src/index.ts'
import { leastTurns } from '../../src/plan/follow.ts'
import { followRounds } from '../support/follow-rounds.ts'
import { eventOf, type Service, startService } from '../support/service.ts'
import { sqliteDatabase } from '../support/stores.ts'

/** A client whose rate budget of 120 requests a minute has `remaining()` left. */
function clientWith(service: Service, remaining: () => number): Formwire {
  const formwire = service.client()
  const budget = {
    get sent() {
      return formwire.budget.sent
    },
    perMinute: 120,
    get remaining() {
      return remaining()
    },
  }
  return Object.create(formwire, { budget: { value: budget }, me: { value: () => formwire.me() } })
}

describe('following all forms', () => {
  it.each([120, 61])(
    'finds what an equal count hides in the next round, with %i of 120 requests left',
    async (left) => {
      const service = await startService()
      const form = service.form()
      const [oldest] = service.add(form, 2) as [number, number]
      const { live } = await followRounds(service, 3, {
        formwire: clientWith(service, () => left),
        between(round) {
          if (round !== 1) return
          service.server.app.responses.delete(form, oldest)
          service.add(form, 1)
        },
      })
      expect(live).toEqual([2, 3])
    },
  )

  it('reads only the list of forms and each form whose count changed while half of the rate budget is used', async () => {
    const service = await startService()
    const forms = Array.from({ length: 120 }, (_, index) => service.filled(1, `Form ${index}`))
    const { costs } = await followRounds(service, 12, {
      formwire: clientWith(service, () => 60),
      between(round) {
        if (round === 2) for (const form of forms.slice(100, 107)) service.add(form, 2)
      },
    })
    // Two pages of the list, in the first round the workspace and a page of each form, and in each tenth one ten forms that did not move.
    expect(costs).toEqual([123, 2, 2, 9, 2, 2, 2, 2, 2, 2, 12, 2])
  })

  it.each([
    [5, [42, ...Array(9).fill(5), 11, 5]],
    [31, [42, ...Array(11).fill(31)]],
    [200, [42, ...Array(11).fill(41)]],
  ])(
    'leaves half of a rate budget for what changes, and takes the other %i requests',
    async (left, expected) => {
      const service = await startService()
      for (let index = 0; index < 40; index += 1) service.form(`Form ${index}`)
      let before = 0
      const { costs } = await followRounds(service, expected.length, {
        formwire: clientWith(service, () => 60 + left - (service.requests - before)),
        between: () => {
          before = service.requests
        },
      })
      expect(costs).toEqual(expected)
    },
  )

  it('waits in the pause for requests of the last minute to expire', async () => {
    const service = await startService()
    for (let index = 0; index < 20; index += 1) service.form(`Form ${index}`)
    let waits = 0
    const { costs } = await followRounds(service, 3, {
      formwire: clientWith(service, () => (waits < 7 ? 60 : 100)),
      waited: () => {
        waits += 1
      },
    })
    expect(waits).toBe(7)
    expect(costs).toEqual([22, 21, 21])
  })

  it.each([
    ['a new response', 3],
    ['a response that a poll had read before', 2],
  ])('reads a form in the next round after a delivery of %s, although its count is equal', async (_, id) => {
    const service = await startService()
    const form = service.filled(2)
    const { live } = await followRounds(service, 3, {
      async between(round, sync) {
        if (round !== 0) return
        service.server.app.responses.delete(form, 1)
        service.add(form, 1)
        await sync.handlers['response.submitted'](
          eventOf(form, id, { submitted_at: '2026-11-21T11:00:00.000Z' }),
        )
      },
    })
    expect(live).toEqual([2, 3])
  })

  it('finds what the counts hide in a slow round, also while another form always fails', async () => {
    const service = await startService()
    const { app } = service.server
    const [broken, hidden] = [service.filled(2, 'Broken'), service.filled(2, 'Hidden')]
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
  })

  it('sweeps the drafts of a form that changes in every round, in a slow round', async () => {
    const service = await startService()
    const form = service.filled(1)
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
  })

  it('reads a form that was trashed and restored, although its count is equal', async () => {
    const service = await startService()
    const [kept, restored] = [service.filled(1, 'Kept'), service.filled(1, 'Restored')]
    const read: string[] = []
    let round = 0
    service.before = ({ url }) => {
      const form = /forms\/([^/]+)\/responses/.exec(url)?.[1]
      if (form) read.push(`${round} ${form}`)
    }
    await followRounds(service, 5, {
      formwire: clientWith(service, () => 60),
      between(ended) {
        round = ended + 1
        if (ended === 1) service.server.app.forms.trash(restored)
        if (ended === 2) service.server.app.forms.restore(restored)
      },
    })
    expect(read).toEqual([`0 ${restored}`, `0 ${kept}`, `3 ${restored}`])
  })

  it('reports a form that is lost once', async () => {
    const service = await startService()
    const [kept, lost] = [service.filled(1, 'Kept'), service.filled(1, 'Lost')]
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
  })

  it('reads every form after a restart while half of the rate budget is used, and is up to date then', async () => {
    const service = await startService()
    for (let index = 0; index < 12; index += 1) service.filled(1)
    const options = { formwire: clientWith(service, () => 60), database: sqliteDatabase() }
    const summaries: number[] = []
    await followRounds(service, 1, options)
    const read = new Set<string | undefined>()
    service.before = ({ url }) => void read.add(/forms\/([^/]+)\/responses/.exec(url)?.[1])
    const onUpToDate = ({ forms }: SyncSummary) => void summaries.push(forms)
    await followRounds(service, 1, { ...options, onUpToDate })
    read.delete(undefined)
    expect([read.size, summaries]).toEqual([12, [12]])
    await options.database.close()
  })

  it('reads at least ten forms in a slow round, and one in a hundred of many', () => {
    expect([30, 1000, 10_000, 25_001].map(leastTurns)).toEqual([10, 10, 100, 251])
  })

  it('reads each form within two rounds if the rate budget allows half of them a round', async () => {
    const service = await startService()
    const forms = Array.from({ length: 20 }, (_, index) => service.form(`Form ${index}`))
    let before = 0
    let read: string[] = []
    service.before = ({ url }) => void read.push(...(/forms\/([^/]+)\/responses/.exec(url)?.slice(1) ?? []))
    await followRounds(service, 5, {
      // The list is one of 11 requests.
      formwire: clientWith(service, () => 60 + 11 - (service.requests - before)),
      between(round) {
        before = service.requests
        if (round % 2 === 1) return
        expect(read.sort()).toEqual([...forms].sort())
        read = []
      },
    })
  })
})
