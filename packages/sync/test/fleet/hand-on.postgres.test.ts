/** Forms that a fleet fails for in the end, and jobs that outlast the worker that reads them. */
import { expect, it, onTestFinished, vi } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { LOCK_CLASS, lockKey } from '../../src/postgres/dialect.ts'
import { describeOnPostgres } from '../support/describe-on-postgres.ts'
import { type FleetDatabase, fleetDatabase, startMain, until, workspaceOf } from '../support/fleet.ts'
import { pg } from '../support/postgres-server.ts'
import { startService } from '../support/service.ts'

describeOnPostgres((serverUrl) => {
  it('makes a form that fails eleven times a dead letter, tries it in its turn, and reads it once it works', async () => {
    const service = await startService({ journalSize: 10_000, clock: 'real' })
    const [broken] = [service.filled(3), service.filled(3)]
    const { faults, requests } = service.server.app
    const path = `/api/v1/forms/${broken}/responses`
    const { id } = faults.add({ path, status: 500 })
    const { url, query, rows } = await fleetDatabase(serverUrl())
    // Its turn comes again with a round, and the letter is then another one.
    const worker = await startMain(url, { service, intervalMs: 10_000 })
    /** When the form was asked for, oldest first. */
    const attempts = (): number[] =>
      requests
        .list()
        .flatMap((request) => (request.path === path ? [Date.parse(request.received_at)] : []))
        .sort()
    const dead = () =>
      query(
        "SELECT data ->> 'form' AS form, created_on FROM formwire_queue.job WHERE name = 'formwire-forms-failed' AND state = 'created'",
      )
    await untilRetried(query, async () => (await dead()).length > 0)
    const [letter] = await dead()
    expect(letter).toMatchObject({ form: broken })
    expect(
      await query('SELECT form_id, error FROM main.formwire_sync_state WHERE error IS NOT NULL'),
    ).toEqual([{ form_id: broken, error: 'server_error' }])
    const buried = Number(letter?.created_on)
    expect(attempts().filter((at) => at <= buried)).toHaveLength(11)
    expect(worker.events().slice(1)).toEqual([{ event: 'form_failed', workspace: 'main', formId: broken }])
    expect(await worker.status()).toMatchObject({ queue: { retrying: 0, failed: 1 } })
    await until(() => attempts().length > 11)
    expect(await dead()).toMatchObject([{ form: broken }])
    faults.remove(id)
    await until(async () => (await rows('main')) === 6)
    await until(async () => (await dead()).length === 0)
    expect(worker.events().at(-1)).toEqual({ event: 'form_recovered', workspace: 'main', formId: broken })
  })

  it('reads the other forms while a worker that is frozen holds the locks of some', async () => {
    const service = await startService()
    const forms = Array.from({ length: 8 }, () => service.filled(2))
    const { url, rows } = await fleetDatabase(serverUrl())
    const frozen = new pg.Client({ connectionString: url })
    await frozen.connect()
    onTestFinished(() => frozen.end())
    const held = forms.slice(0, 4)
    await frozen.query('BEGIN')
    for (const form of held)
      await frozen.query('SELECT pg_advisory_xact_lock($1, $2)', [LOCK_CLASS, lockKey(form)])
    const worker = await startMain(url, { service })
    await until(async () => (await rows('main')) === 8)
    const isPrinted = (event: string) => () =>
      worker.events().filter((one) => one.event === event).length === held.length
    await until(isPrinted('form_failed'))
    expect(await rows('main')).toBe(8)
    await frozen.query('ROLLBACK')
    await until(isPrinted('form_recovered'))
    expect(await rows('main')).toBe(16)
    const events = worker.events().slice(1)
    expect(events.map(({ event }) => event).sort()).toEqual([
      ...held.map(() => 'form_failed'),
      ...held.map(() => 'form_recovered'),
    ])
  })

  it('shows in the status a form whose transaction PostgreSQL ended while the worker was frozen', async () => {
    const service = await startService()
    service.filled(2)
    const { url, query, rows } = await fleetDatabase(serverUrl())
    const other = new pg.Client({ connectionString: url })
    await other.connect()
    onTestFinished(() => other.end())
    await other.query('BEGIN; LOCK TABLE outbox IN EXCLUSIVE MODE')
    const worker = await startMain(url, { service, transactionIdleMs: 1000 })
    const sessions = async (state: string): Promise<number> => {
      const found = `application_name = 'formwire-sync' AND query LIKE '%outbox%' AND ${state}`
      return (await query(`SELECT FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND ${found}`)).length
    }
    await until(() => sessions("wait_event_type = 'Lock'"))
    worker.child.kill('SIGSTOP')
    await other.query('ROLLBACK')
    await until(async () => (await sessions('true')) === 0)
    worker.child.kill('SIGCONT')
    const failed = "SELECT FROM main.formwire_sync_state WHERE error = 'database_locked'"
    await until(async () => (await query(failed)).length === 1)
    const isRecovered = () => worker.events().some(({ event }) => event === 'form_recovered')
    await until(isRecovered)
    expect(await rows('main')).toBe(2)
    expect(await query(failed)).toEqual([])
    expect(worker.events().map(({ event }) => event)).toEqual(['started', 'form_failed', 'form_recovered'])
  })

  /** Lets the delays of the engine pass until something is so. */
  async function untilRetried(query: FleetDatabase['query'], isSo: () => Promise<boolean>): Promise<void> {
    await vi.waitUntil(
      async () => {
        await query(
          "UPDATE formwire_queue.job SET start_after = now() WHERE name = 'formwire-forms' AND state = 'retry'",
        )
        return await isSo()
      },
      { timeout: WAIT_MS, interval: 200 },
    )
  }

  it('hands on a form that it has not read ten seconds after SIGTERM', async () => {
    const service = await startService()
    const form = service.filled(3)
    const { faults } = service.server.app
    const { id } = faults.add({ path: `/api/v1/forms/${form}/responses`, delay_ms: 120_000 })
    const { url, query, rows } = await fleetDatabase(serverUrl())
    const workspaces = [await workspaceOf('main', service.server)]
    const states = () =>
      query("SELECT state::text FROM formwire_queue.job WHERE name = 'formwire-forms' ORDER BY created_on")
    const worker = await startMain(url, { workspaces })
    await until(async () => (await states())[0]?.state === 'active')
    const stoppedAt = Date.now()
    worker.child.kill('SIGTERM')
    expect(await worker.finished).toMatchObject({ code: 0, signal: null })
    expect(Date.now() - stoppedAt).toBeGreaterThan(9000)
    expect(worker.events().at(-1)).toEqual({ event: 'stopped' })
    // The same work is queued again, at once and without a failure.
    expect(await states()).toEqual([{ state: 'completed' }, { state: 'created' }])
    expect(await rows('main')).toBe(0)
    faults.remove(id)
    await startMain(url, { workspaces })
    await until(async () => (await rows('main')) === 3)
  })
})
