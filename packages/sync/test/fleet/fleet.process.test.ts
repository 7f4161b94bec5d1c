import type { EventResponse } from '@formwire/contract'
import { expect, it, vi } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { createFleet } from '../../src/fleet/index.ts'
import { describeOnPostgres } from '../support/describe-on-postgres.ts'
import { fleetDatabase, startWorker, workspaceOf } from '../support/fleet.ts'
import { followRounds } from '../support/follow-rounds.ts'
import { type Service, startService } from '../support/service.ts'
import { expectForms, expectResponses } from '../support/truth.ts'

describeOnPostgres((serverUrl) => {
  it('keeps the tables of two workspaces with forms of the same ids equal, each in its schema', async () => {
    const first = await startService()
    const forms = [first.form(), first.form()]
    const second = await copyOf(first)
    for (const form of forms) first.add(form, 150)
    second.add(forms[0] as string, 3)
    const { url, query, rows } = await fleetDatabase(serverUrl())
    const worker = await startWorker({
      connectionString: url,
      workspaces: [await workspaceOf('first', first.server), await workspaceOf('second', second.server)],
      intervalMs: 1000,
      rateLimit: false,
    })
    await vi.waitUntil(async () => (await rows('first')) === 300 && (await rows('second')) === 3, {
      timeout: WAIT_MS,
    })
    // Later responses and deletions, too.
    first.add(forms[1] as string, 2, () => '2026-11-21T11:00:00.000Z')
    second.server.app.responses.delete(forms[0] as string, second.submitted(forms[0] as string)[0] as number)
    await vi.waitUntil(async () => (await rows('first')) === 302 && (await rows('second')) === 2, {
      timeout: WAIT_MS,
    })
    for (const [schema, { server }] of [
      ['first', first],
      ['second', second],
    ] as const) {
      const inSchema = (sql: string) => query(sql.replace('FROM ', `FROM ${schema}.`))
      await expectResponses({ server, query: inSchema, forms })
      await expectForms({ server, query: inSchema, forms })
    }
    expect(await query('SELECT workspace, count(*)::int AS rows FROM outbox GROUP BY 1 ORDER BY 1')).toEqual([
      { workspace: 'first', rows: 302 },
      { workspace: 'second', rows: 3 },
    ])
    expect(worker.events()).toEqual([{ event: 'started' }])
  })

  it('sends at most a tenth more requests than run() for the same work, and never reads a form on its own', async () => {
    const service = await startService({ journalSize: 10_000 })
    const forms = Array.from({ length: 60 }, (_, index) => service.form(`Form ${index}`))
    for (const [index, form] of forms.entries()) service.add(form, index % 20 === 0 ? 250 : index % 4)
    const copy = await copyOf(service)
    const { url, query, rows } = await fleetDatabase(serverUrl())
    // Rounds begin when both are equal, however long that takes, and no form has its turn.
    const worker = await startWorker({
      connectionString: url,
      workspaces: [await workspaceOf('main', service.server)],
      intervalMs: 3_600_000,
      rateLimit: false,
    })
    let expected = forms.reduce((sum, form) => sum + service.submitted(form).length, 0)
    const fleetEnds = async (round: number): Promise<void> => {
      const isOver = async () => {
        const jobs = await query(
          "SELECT name, state::text FROM formwire_queue.job WHERE name IN ('formwire-rounds', 'formwire-forms')",
        )
        const rounds = jobs.filter(({ name }) => name === 'formwire-rounds').length
        return rounds > round && jobs.every(({ state }) => state === 'completed')
      }
      await vi.waitUntil(isOver, { timeout: WAIT_MS })
      expect(await rows('main')).toBe(expected)
    }
    // The engine takes one round a second of those that are offered.
    const isNextSecond = async () => {
      const latest = "SELECT max(created_on) FROM formwire_queue.job WHERE name = 'formwire-rounds'"
      return (await query(`SELECT (${latest}) < date_trunc('second', now()) AS free`))[0]?.free === true
    }
    const { live } = await followRounds(copy, 4, {
      async between(round) {
        await fleetEnds(round)
        for (const form of forms.filter((_, index) => index % 3 === round)) {
          for (const each of [service, copy]) each.add(form, 1, () => `2026-11-21T1${round}:00:00.000Z`)
          expected += 1
        }
        for (const form of forms.slice(10 * round, 10 * round + 3)) {
          const id = service.submitted(form).at(-1) as number
          for (const { server } of [service, copy]) server.app.responses.delete(form, id)
          expected -= 1
        }
        await vi.waitUntil(isNextSecond, { timeout: WAIT_MS })
        worker.child.kill('SIGHUP')
      },
    })
    await fleetEnds(3)
    expect(live).toHaveLength(expected)
    const sent = requestsTo(service)
    expect(sent.filter(({ path }) => /^\/api\/v1\/forms\/[^/]+$/.test(path))).toEqual([])
    expect(sent.length).toBeLessThanOrEqual(1.1 * requestsTo(copy).length)
    expect(sent.length).toBeGreaterThan(100)
  })

  it('spends less than a tenth of the requests on a form that always fails, and reads the others', async () => {
    const service = await startService({ journalSize: 10_000 })
    const [broken, ...well] = Array.from({ length: 40 }, (_, index) => service.form(`Form ${index}`)) as [
      string,
      ...string[],
    ]
    for (const form of [broken, ...well]) service.add(form, 101)
    service.server.app.faults.add({ path: `/api/v1/forms/${broken}/responses`, status: 500 })
    const { url, query, rows } = await fleetDatabase(serverUrl())
    const worker = await startWorker({
      connectionString: url,
      workspaces: [await workspaceOf('main', service.server)],
      intervalMs: 1000,
      rateLimit: false,
    })
    await vi.waitUntil(async () => (await rows('main')) === 39 * 101, { timeout: WAIT_MS })
    const attempts = (): number => requestsTo(service).filter(({ path }) => path.includes(broken)).length
    await vi.waitUntil(() => attempts() >= 3, { timeout: WAIT_MS })
    expect(attempts()).toBeLessThanOrEqual(0.1 * requestsTo(service).length)
    expect(worker.events().slice(1)).toEqual([{ event: 'form_failed', workspace: 'main', formId: broken }])
    expect(
      await query(`SELECT form_id, error FROM main.formwire_sync_state WHERE error IS NOT NULL`),
    ).toEqual([{ form_id: broken, error: 'server_error' }])
    // Between two attempts.
    const waits = (): void => {
      worker.child.kill('SIGUSR2')
      expect(worker.events().at(-1)).toMatchObject({
        event: 'status',
        workspaces: [{ name: 'main', error: null }],
        queue: { retrying: 1, failed: 0 },
      })
    }
    await vi.waitFor(waits, { timeout: WAIT_MS, interval: 500 })
    // Once it can be read, it is.
    for (const { id } of service.server.app.faults.list()) service.server.app.faults.remove(id)
    await vi.waitUntil(async () => (await rows('main')) === 40 * 101, { timeout: WAIT_MS })
    const recovered = () => worker.events().filter(({ event }) => event === 'form_recovered')
    await vi.waitUntil(() => recovered().length > 0, { timeout: WAIT_MS })
    expect(recovered()).toEqual([{ event: 'form_recovered', workspace: 'main', formId: broken }])
  })

  it('tries many forms that always fail less and less often, and reads the others', async () => {
    const service = await startService({ journalSize: 10_000 })
    const forms = Array.from({ length: 24 }, (_, index) => service.form(`Form ${index}`))
    const [broken, well] = [forms.slice(0, 12), forms.slice(12)]
    for (const form of forms) service.add(form, 101)
    for (const form of broken)
      service.server.app.faults.add({ path: `/api/v1/forms/${form}/responses`, status: 500 })
    const { url, query, rows } = await fleetDatabase(serverUrl())
    await startWorker({
      connectionString: url,
      workspaces: [await workspaceOf('main', service.server)],
      intervalMs: 10_000,
      rateLimit: false,
    })
    await vi.waitUntil(async () => (await rows('main')) === 12 * 101, { timeout: WAIT_MS })
    const retries = async () =>
      await query(
        "SELECT DISTINCT data ->> 'form' AS form FROM formwire_queue.job WHERE name = 'formwire-forms' AND retry_count >= 3",
      )
    await vi.waitUntil(async () => (await retries()).length === 12, { timeout: WAIT_MS })
    // Meanwhile, the others are read at once.
    service.add(well[0] as string, 1, () => '2026-11-21T11:00:00.000Z')
    const startedAt = Date.now()
    await vi.waitUntil(async () => (await rows('main')) === 12 * 101 + 1, { timeout: WAIT_MS })
    expect(Date.now() - startedAt).toBeLessThan(20_000)
  })

  it('ends the work for the workspace of a revoked key alone, with a typed error', async () => {
    const [revoked, well] = [await startService(), await startService()]
    well.add(well.form(), 3)
    const { url, rows } = await fleetDatabase(serverUrl())
    const worker = await startWorker({
      connectionString: url,
      workspaces: [
        { ...(await workspaceOf('revoked', revoked.server)), apiKeys: ['svc_revoked'] },
        await workspaceOf('well', well.server),
        // The schema cannot be created: the name is reserved.
        { ...(await workspaceOf('reserved', (await startService()).server)), schema: 'pg_formwire' },
      ],
      intervalMs: 1000,
      rateLimit: false,
    })
    await vi.waitUntil(async () => (await rows('well')) === 3 && worker.events().length >= 3, {
      timeout: WAIT_MS,
    })
    worker.child.kill('SIGUSR2')
    await vi.waitUntil(() => worker.stdout.includes('"status"'), { timeout: WAIT_MS })
    const { workspaces } = worker.events().at(-1) as unknown as { workspaces: object[] }
    expect(workspaces).toMatchObject([
      { name: 'revoked', error: { name: 'UnauthorizedError', code: 'unauthorized' } },
      { name: 'well', error: null },
      { name: 'reserved', error: { name: 'StoreError', code: 'refused' } },
    ])
    expect(
      worker
        .events()
        .filter(({ event }) => event === 'error')
        .map(({ workspace }) => workspace)
        .sort(),
    ).toEqual(['reserved', 'revoked'])
    expect(worker.stdout + worker.stderr).not.toContain('svc_')
  })

  it('[RATE-01] shares the budget of each key between two workers', async () => {
    const service = await startService({ clock: 'real', limits: {}, journalSize: 10_000 })
    const forms = Array.from({ length: 130 }, (_, index) => service.form(`Form ${index}`))
    for (const form of forms) service.add(form, 1)
    const second = service.server.app.keys.create({ name: 'Second', scope: 'read' })
    const { url, rows } = await fleetDatabase(serverUrl())
    const workspace = await workspaceOf('main', service.server)
    const options = {
      connectionString: url,
      workspaces: [{ ...workspace, apiKeys: [...workspace.apiKeys, second.key] }],
      intervalMs: 10_000,
    }
    const workers = [await startWorker(options), await startWorker(options)]
    await vi.waitUntil(async () => (await rows('main')) === 130, { timeout: WAIT_MS })
    const sent = requestsTo(service)
    expect(sent.filter(({ status }) => status === 429)).toEqual([])
    // More than one key allows in a minute.
    expect(sent.length).toBeGreaterThan(130)
    for (const worker of workers) expect(worker.events()).toEqual([{ event: 'started' }])
  })

  it('writes a delivery at once, and has the next round read its form', async () => {
    const service = await startService()
    const form = service.form()
    const [oldest] = service.add(form, 2) as [number, number]
    const { url, query, rows } = await fleetDatabase(serverUrl())
    const workspace = await workspaceOf('main', service.server)
    // A form has its turn after ten intervals.
    const options = {
      connectionString: url,
      workspaces: [workspace],
      intervalMs: 8000,
      rateLimit: false,
    } as const
    await startWorker(options)
    await vi.waitUntil(async () => (await rows('main')) === 2, { timeout: WAIT_MS })
    const seen = async () => (await query('SELECT seen FROM main.formwire_sync_state'))[0]?.seen
    await vi.waitUntil(async () => String(await seen()).includes('"count":2'), { timeout: WAIT_MS })
    // The count stays equal, so that no list shows the deletion.
    const [id] = service.add(form, 1, () => '2026-11-21T11:00:00.000Z') as [number]
    service.server.app.responses.delete(form, oldest)
    const response = (await service.client().responses.get(form, id)) as EventResponse
    const receiver = createFleet(options)
    await receiver.handlers()['response.submitted']({ form: { id: form, title: 'Survey' }, response })
    await receiver.stop()
    const live = async () =>
      await query('SELECT id::int FROM main.formwire_responses WHERE deleted_at IS NULL')
    expect(await live()).toContainEqual({ id })
    await vi.waitUntil(async () => (await live()).every((row) => row.id !== oldest), { timeout: WAIT_MS })
  })

  it('ends what is in progress on SIGTERM', async () => {
    const service = await startService()
    const forms = Array.from({ length: 8 }, (_, index) => service.form(`Form ${index}`))
    for (const form of forms) service.add(form, 20)
    // Long enough that a busy machine stops the worker before it has read the first forms; it has ten seconds for the rest.
    service.server.app.faults.add({ path: '/api/v1/forms/*/responses', delay_ms: 6000 })
    const { url, query, rows } = await fleetDatabase(serverUrl())
    const worker = await startWorker({
      connectionString: url,
      workspaces: [await workspaceOf('main', service.server)],
      intervalMs: 1000,
      rateLimit: false,
    })
    const states = async () =>
      await query(
        `SELECT state::text, count(*)::int FROM formwire_queue.job WHERE name = 'formwire-forms' GROUP BY 1`,
      )
    const isFull = async () => (await states()).some(({ state, count }) => state === 'active' && count === 4)
    await vi.waitUntil(isFull, { timeout: WAIT_MS })
    worker.child.kill('SIGTERM')
    expect(await worker.finished).toMatchObject({ code: 0, signal: null })
    expect(worker.events().at(-1)).toEqual({ event: 'stopped' })
    // Those that were in progress, and no others.
    expect(await rows('main')).toBe(4 * 20)
    expect(await states()).toEqual(
      expect.arrayContaining([
        { state: 'completed', count: 4 },
        { state: 'created', count: 4 },
      ]),
    )
  })
})

const requestsTo = ({ server }: Service) => server.app.requests.list()

/** A service with the same forms. */
async function copyOf({ server }: Service): Promise<Service> {
  const snapshot = server.app.snapshot.take()
  return await startService({ snapshot })
}
