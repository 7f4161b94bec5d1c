import type { EventResponse } from '@formwire/contract'
import { expect, it } from 'vitest'
import { createFleet } from '../../src/fleet/index.ts'
import { describeOnPostgres } from '../support/describe-on-postgres.ts'
import { fleetDatabase, startMain, startWorker, until, workspaceOf } from '../support/fleet.ts'
import { followRounds } from '../support/follow-rounds.ts'
import { type Service, startService } from '../support/service.ts'

describeOnPostgres((serverUrl) => {
  it('sends at most a tenth more requests than run() for the same work, and never reads a form on its own', async () => {
    const service = await startService({ journalSize: 10_000 })
    const forms = Array.from({ length: 60 }, (_, index) => service.form(`Form ${index}`))
    for (const [index, form] of forms.entries()) service.add(form, index % 20 === 0 ? 250 : index % 4)
    const copy = await copyOf(service)
    const { url, query, rows } = await fleetDatabase(serverUrl())
    // Rounds begin when both are equal, however long that takes, and no form has its turn.
    const worker = await startMain(url, { service, intervalMs: 3_600_000 })
    let expected = forms.reduce((sum, form) => sum + service.submitted(form).length, 0)
    const fleetEnds = async (round: number): Promise<void> => {
      const isOver = async () => {
        const jobs = await query(
          "SELECT name, state::text FROM formwire_queue.job WHERE name IN ('formwire-rounds', 'formwire-forms')",
        )
        const rounds = jobs.filter(({ name }) => name === 'formwire-rounds').length
        return rounds > round && jobs.every(({ state }) => state === 'completed')
      }
      await until(isOver)
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
        await until(isNextSecond)
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

  it('ends the work for the workspace of a revoked key alone, with a typed error', async () => {
    const [revoked, well] = [await startService(), await startService()]
    well.add(well.form(), 3)
    const { url, rows } = await fleetDatabase(serverUrl())
    const workspaces = [
      { ...(await workspaceOf('revoked', revoked.server)), apiKeys: ['svc_revoked'] },
      await workspaceOf('well', well.server),
      // The schema cannot be created: the name is reserved.
      { ...(await workspaceOf('reserved', (await startService()).server)), schema: 'pg_formwire' },
    ]
    const worker = await startMain(url, { workspaces })
    await until(async () => (await rows('well')) === 3 && worker.events().length >= 3)
    expect((await worker.status()).workspaces).toMatchObject([
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
    await until(async () => (await rows('main')) === 2)
    const seen = async () => (await query('SELECT seen FROM main.formwire_sync_state'))[0]?.seen
    await until(async () => String(await seen()).includes('"count":2'))
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
    await until(async () => (await live()).every((row) => row.id !== oldest))
  })

  it('ends what is in progress on SIGTERM', async () => {
    const service = await startService()
    for (let index = 0; index < 8; index += 1) service.filled(20, `Form ${index}`)
    // Long enough that a busy machine stops the worker before it has read the first forms; it has ten seconds for the rest.
    service.server.app.faults.add({ path: '/api/v1/forms/*/responses', delay_ms: 6000 })
    const { url, query, rows } = await fleetDatabase(serverUrl())
    const worker = await startMain(url, { service })
    const states = async () =>
      await query(
        `SELECT state::text, count(*)::int FROM formwire_queue.job WHERE name = 'formwire-forms' GROUP BY 1`,
      )
    const isFull = async () => (await states()).some(({ state, count }) => state === 'active' && count === 4)
    await until(isFull)
    worker.child.kill('SIGTERM')
    expect(await worker.finished).toMatchObject({ code: 0, signal: null, stderr: '' })
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
