import { type Formwire, TimeoutError } from '@formwire/sdk'
import { describe, expect, it } from 'vitest'
import { followRounds } from './support/follow-rounds.ts'
import { startService } from './support/service.ts'

/** What `run()` reports, and in which round. */
function reports() {
  const lines: string[] = []
  let round = 0
  return {
    lines,
    next: (ended: number) => {
      round = ended + 1
    },
    options: {
      onFormFailed: ({ formId, error }: { formId: string; error: unknown }) =>
        void lines.push(`${round} ${formId} ${(error as Error).name}`),
      onFormRecovered: (formId: string) => void lines.push(`${round} ${formId} recovered`),
      onPause: ({ error }: { error: unknown }) => void lines.push(`${round} pause ${(error as Error).name}`),
      // Waits are as long as jitter allows.
      random: () => 1,
    },
  }
}

describe('a form that the service fails for while following', () => {
  it.each(['all', 'given'] as const)(
    'is tried again by itself and delays no other form (%s forms)',
    async (which) => {
      const service = await startService()
      const { app } = service.server
      const [broken, well] = [service.form('Broken'), service.form('Well')]
      for (const form of [broken, well]) service.add(form, 1)
      const path = `/api/v1/forms/${broken}/responses`
      const report = reports()
      const attempts: number[] = []
      let reads = { broken: 0, well: 0 }
      const wellReads: number[] = []
      service.before = (request) => {
        const { pathname } = new URL(request.url)
        if (pathname === path) reads.broken += 1
        if (pathname === `/api/v1/forms/${well}/responses`) reads.well += 1
      }
      let fault = 0
      const { live } = await followRounds(service, 12, {
        forms: which === 'all' ? which : [broken, well],
        formwire: service.client({ maxRetries: 0 }),
        between(round) {
          attempts.push(reads.broken)
          wellReads.push(reads.well)
          reads = { broken: 0, well: 0 }
          report.next(round)
          service.add(well, 1)
          if (round === 0) {
            service.add(broken, 1)
            ;({ id: fault } = app.faults.add({ path, status: 500 }))
          }
          if (round === 8) app.faults.remove(fault)
        },
        ...report.options,
      })
      // After 1, 2, 4 … 60 s, in rounds of 30 s.
      expect(attempts.slice(0, 9)).toEqual([1, 5, 1, 1, 0, 1, 0, 1, 0])
      expect(wellReads).toEqual(Array(11).fill(1))
      expect(report.lines).toEqual([`1 ${broken} ServerError`, `9 ${broken} recovered`])
      expect(live).toEqual([...service.submitted(broken), ...service.submitted(well)].sort((a, b) => a - b))
      await service.server.close()
    },
  )

  it('keeps the database from being up to date until it can be read', async () => {
    const service = await startService()
    const { app } = service.server
    const [broken, well] = [service.form('Broken'), service.form('Well')]
    for (const form of [broken, well]) service.add(form, 1)
    const fault = app.faults.add({ path: `/api/v1/forms/${broken}/responses`, status: 500 })
    const upToDate: [round: number, inserted: number][] = []
    let round = 0
    await followRounds(service, 4, {
      formwire: service.client({ maxRetries: 0 }),
      random: () => 1,
      onUpToDate: ({ inserted }) => void upToDate.push([round, inserted]),
      between(ended) {
        round = ended + 1
        if (round === 1) app.faults.remove(fault.id)
      },
    })
    expect(upToDate).toEqual([
      [2, 2],
      [3, 2],
    ])
    await service.server.close()
  })

  it('does not end the first round of the others', async () => {
    const service = await startService()
    const [broken, well] = [service.form('Broken'), service.form('Well')]
    for (const form of [broken, well]) service.add(form, 1)
    service.server.app.faults.add({ path: `/api/v1/forms/${broken}/responses`, status: 500 })
    const report = reports()
    const { live } = await followRounds(service, 2, {
      forms: [broken, well],
      formwire: service.client({ maxRetries: 0 }),
      ...report.options,
    })
    expect(report.lines).toEqual([`0 ${broken} ServerError`])
    expect(live).toEqual(service.submitted(well))
    await service.server.close()
  })

  it('is left alone after a timeout, but two in a row are an outage', async () => {
    const service = await startService()
    const forms = ['A', 'B', 'C'].map((title) => service.form(title))
    const [a, b] = forms as [string, string]
    const report = reports()
    const hanging = new Set<string>()
    await followRounds(service, 4, {
      forms,
      formwire: withTimeouts(service.client(), hanging),
      between(round) {
        report.next(round)
        if (round === 0) hanging.add(a)
        if (round === 1) hanging.clear()
        if (round === 2) for (const form of [a, b]) hanging.add(form)
      },
      ...report.options,
    })
    expect(report.lines).toEqual([
      `1 ${a} TimeoutError`,
      `2 ${a} recovered`,
      `3 ${a} TimeoutError`,
      `3 ${b} TimeoutError`,
      '3 pause TimeoutError',
    ])
    await service.server.close()
  })
})

/** A client whose lists of responses of some forms time out. */
function withTimeouts(formwire: Formwire, forms: ReadonlySet<string>): Formwire {
  const { responses } = formwire
  const facts = { method: 'GET', path: '/', timeoutMs: 30_000, scope: 'attempt' as const, attempts: 1 }
  const list: typeof responses.list = (formId, ...rest) =>
    forms.has(formId)
      ? (Promise.reject(new TimeoutError('Timed out.', facts as never)) as never)
      : responses.list(formId, ...rest)
  const poll: typeof responses.poll = (...all) => responses.poll(...all)
  return Object.create(formwire, {
    responses: { value: { list, poll } },
    me: { value: () => formwire.me() },
  })
}

describe('a full read that is due while following', () => {
  it('is done in slices, one per round, and finds what counts hide', async () => {
    const service = await startService()
    const [large, other] = [service.form('Large'), service.form('Other')]
    const ids = service.add(large, 130)
    service.add(other, 1)
    let largeReads = 0
    service.before = ({ url }) => {
      if (url.includes(large)) largeReads += 1
    }
    const reads: number[] = []
    let newRows = 0
    const rows: number[] = []
    const { live } = await followRounds(service, 9, {
      forms: [large, other],
      per_page: 2,
      fullEveryMs: 60_000,
      between(round) {
        reads.push(largeReads)
        rows.push(newRows)
        largeReads = 0
        newRows = 0
        service.add(other, 1, () => NEW)
        if (round !== 1) return
        // A back-filled response and a deletion that cancel out.
        service.server.app.responses.delete(large, ids[50] as number)
        service.add(large, 1, () => BACK_FILLED)
      },
      onChanges: (changes) => {
        newRows += changes.filter(({ formId }) => formId === other).length
      },
    })
    expect(live).toEqual([...service.submitted(large), ...service.submitted(other)].sort((a, b) => a - b))
    // A slice is 25 pages. At once, the third round alone would take 66 requests.
    expect(reads.slice(1)).toEqual([1, 39, 28, 18, 26, 28, 18])
    expect(rows.slice(1)).toEqual(Array(7).fill(1))
    await service.server.close()
  })
})

const NEW = '2026-11-21T11:00:00.000Z'
const BACK_FILLED = '2026-11-01T00:00:00.000Z'
