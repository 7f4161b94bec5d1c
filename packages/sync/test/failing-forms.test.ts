import { type Formwire, TimeoutError } from '@formwire/sdk'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSync, type RowChange, readSyncStatus, StoreError, type SyncStore } from '../src/index.ts'
import { endedWhileIdle } from '../src/postgres/errors.ts'
import { followRounds } from './support/follow-rounds.ts'
import { startService } from './support/service.ts'
import { sqliteDatabase } from './support/stores.ts'

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

describe('a form whose lock another process holds', () => {
  /** Has the transactions of a store fail while `isHeld` says so, as those of PostgreSQL do after five seconds. */
  const held =
    (isHeld: (lock: string) => boolean) =>
    (store: SyncStore): SyncStore => {
      const { transaction } = store
      return Object.assign(store, {
        dialect: { ...store.dialect, name: 'postgres' },
        async transaction(...call: Parameters<typeof transaction>) {
          if (isHeld(call[0]))
            throw new StoreError('The database was locked by another program for 5 s.', 'locked')
          return await transaction.apply(store, call)
        },
      })
    }

  it.each([
    ['goes to the back of the queue of once()', 1, 'A waits, B, C, A', undefined],
    [
      'is left out after four attempts in a row',
      9,
      'A waits, B, C, A waits, A waits, A waits, A waits',
      'locked',
    ],
  ])('%s', async (_what, times, expected, code) => {
    const service = await startService()
    const names = new Map(['A', 'B', 'C'].map((title) => [service.filled(1, title), title]))
    const steps: string[] = []
    let left = times
    const database = sqliteDatabase()
    onTestFinished(() => database.close())
    const store = held((lock) => {
      if (names.get(lock) !== 'A' || left === 0) return false
      left -= 1
      steps.push('A waits')
      return true
    })(database.store())
    const onChanges = (changes: readonly RowChange[]): void => {
      steps.push(...changes.map(({ formId }) => String(names.get(formId))))
    }
    const sync = createSync({ formwire: service.client(), store, forms: [...names.keys()], onChanges })
    const error = await sync.once().catch((failure: unknown) => failure)
    expect(steps.join(', ')).toBe(expected)
    expect((error as { code?: string }).code).toBe(code)
  })

  it('has an error in the status if PostgreSQL ended its transaction because onResponse left it idle', async () => {
    const service = await startService()
    service.filled(1)
    const database = sqliteDatabase()
    onTestFinished(() => database.close())
    const store = held(() => false)(database.store())
    let isIdle = true
    const onResponse = (): void => {
      if (isIdle) throw endedWhileIdle(Object.assign(new Error('idle'), { code: '25P03' }), 60_000)
    }
    const sync = createSync({ formwire: service.client(), store, forms: 'all', onResponse })
    const lastError = async () =>
      (await readSyncStatus(database.store())).forms.map((form) => form.last_error)
    await expect(sync.once()).rejects.toMatchObject({ code: 'locked' })
    expect(await lastError()).toEqual(['database_locked'])
    isIdle = false
    await sync.once()
    expect(await lastError()).toEqual([null])
  })

  it('delays no other form while following, and is reported once', async () => {
    const service = await startService()
    const [busy, well] = [service.filled(1, 'Busy'), service.filled(1, 'Well')]
    let isHeld = true
    const report = reports()
    const { live } = await followRounds(service, 5, {
      wrap: held((lock) => lock === busy && isHeld),
      forms: [busy, well],
      between(round) {
        report.next(round)
        service.add(well, 1)
        isHeld = round < 2
      },
      ...report.options,
    })
    expect(report.lines).toEqual([`0 ${busy} StoreError`, `4 ${busy} recovered`])
    expect(live).toHaveLength(6)
  })
})

describe('a form that the service fails for while following', () => {
  it.each(['all', 'given'] as const)(
    'is tried again by itself and delays no other form (%s forms)',
    async (which) => {
      const service = await startService()
      const { app } = service.server
      const [broken, well] = [service.filled(1, 'Broken'), service.filled(1, 'Well')]
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
    },
  )

  it('is left alone while one of its responses is too large, and read in smaller pages while only pages are', async () => {
    const service = await startService()
    const [long, well] = [service.filled(40, 'Long'), service.filled(40, 'Well')]
    const report = reports()
    let largest = 10
    service.instead = ({ url }) => {
      const { pathname, searchParams } = new URL(url)
      const isLong = pathname === `/api/v1/forms/${long}/responses`
      const isTooLarge = isLong && Number(searchParams.get('per_page')) > largest
      return isTooLarge ? new Response(' '.repeat(100_001)) : undefined
    }
    const { live } = await followRounds(service, 4, {
      formwire: service.client({ maxResponseBytes: 100_000 }),
      between(round) {
        report.next(round)
        for (const form of [long, well]) service.add(form, 1, () => NEW)
        largest = round === 0 ? 0 : 10
      },
      ...report.options,
    })
    expect(report.lines).toEqual([`1 ${long} ResponseTooLargeError`, `2 ${long} recovered`])
    expect(live).toEqual([...service.submitted(long), ...service.submitted(well)].sort((a, b) => a - b))
  })

  it('is not read again in pages of each smaller size once a single response was found to be too large', async () => {
    const service = await startService()
    const long = service.add(service.form('Long'), 400)[200]
    service.instead = async (request) => {
      const text = await (await service.server.fetch(request)).text()
      const isLong = text.includes(`"id":${long},`)
      return Response.json(isLong ? ' '.repeat(100_001) : JSON.parse(text))
    }
    const formwire = service.client({ maxResponseBytes: 100_000 })
    const database = sqliteDatabase()
    const sync = createSync({ formwire, store: database.store(), forms: 'all' })
    await expect(sync.once()).rejects.toThrow(/exceeds maxResponseBytes/)
    expect(service.requests).toBeLessThan(30)
    await database.close()
  })

  it.each([404, 403, 401, 302, 200])(
    '[ENV-03] waits while a proxy sends pages with %i instead of everything',
    async (status) => {
      const service = await startService()
      const form = service.filled(1, 'Well')
      const report = reports()
      let isOut = false
      let pages = 0
      service.instead = () => {
        if (!isOut || pages === 3) return undefined
        pages += 1
        return new Response('<h1>No route</h1>', { status, headers: { 'content-type': 'text/html' } })
      }
      const { live } = await followRounds(service, 3, {
        formwire: service.client({ maxRetries: 0 }),
        between(round) {
          report.next(round)
          service.add(form, 1, () => NEW)
          isOut = true
        },
        ...report.options,
      })
      expect(report.lines).toHaveLength(3)
      expect(report.lines.join()).toMatch(/^1 pause (\w+),1 pause \1,1 pause \1$/)
      expect(live).toEqual(service.submitted(form))
    },
  )

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

const NEW = '2026-11-21T11:00:00.000Z'
