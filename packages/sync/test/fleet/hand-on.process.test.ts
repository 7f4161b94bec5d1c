/** Forms that a fleet fails for in the end, and jobs that outlast the worker that reads them. */
import { expect, it, vi } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { describeOnPostgres } from '../support/describe-on-postgres.ts'
import { type FleetDatabase, fleetDatabase, startWorker, workspaceOf } from '../support/fleet.ts'
import { startService } from '../support/service.ts'

describeOnPostgres((serverUrl) => {
  it('makes a form that fails eleven times a dead letter, tries it in its turn, and reads it once it works', async () => {
    const service = await startService({ journalSize: 10_000 })
    const [broken, well] = [service.form(), service.form()]
    for (const form of [broken, well]) service.add(form, 3)
    const { faults, requests } = service.server.app
    const path = `/api/v1/forms/${broken}/responses`
    const { id } = faults.add({ path, status: 500 })
    const { url, query, rows } = await fleetDatabase(serverUrl())
    const worker = await startWorker({
      connectionString: url,
      workspaces: [await workspaceOf('main', service.server)],
      // On a busy machine, ten rounds pass while the queue is asked.
      intervalMs: 2000,
      rateLimit: false,
    })
    const attempts = (): number => requests.list().filter((request) => request.path === path).length
    const dead = () =>
      query(
        "SELECT data ->> 'form' AS form FROM formwire_queue.job WHERE name = 'formwire-forms-failed' AND state = 'created'",
      )
    await untilRetried(query, async () => (await dead()).length > 0)
    expect(await dead()).toEqual([{ form: broken }])
    expect(attempts()).toBe(11)
    expect(worker.events().slice(1)).toEqual([{ event: 'form_failed', workspace: 'main', formId: broken }])
    worker.child.kill('SIGUSR2')
    await vi.waitUntil(() => worker.stdout.includes('"status"'), { timeout: WAIT_MS })
    expect(worker.events().at(-1)).toMatchObject({ queue: { retrying: 0, failed: 1 } })
    // Not in each round, although its count has moved, but after ten of them.
    await vi.waitUntil(() => attempts() === 12, { timeout: WAIT_MS })
    expect(await dead()).toEqual([{ form: broken }])
    faults.remove(id)
    await vi.waitUntil(async () => (await rows('main')) === 6, { timeout: WAIT_MS })
    await vi.waitUntil(async () => (await dead()).length === 0, { timeout: WAIT_MS })
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
    const form = service.form()
    service.add(form, 3)
    const { faults } = service.server.app
    const { id } = faults.add({ path: `/api/v1/forms/${form}/responses`, delay_ms: 120_000 })
    const { url, query, rows } = await fleetDatabase(serverUrl())
    const options = {
      connectionString: url,
      workspaces: [await workspaceOf('main', service.server)],
      intervalMs: 1000,
      rateLimit: false,
    } as const
    const states = () =>
      query("SELECT state::text FROM formwire_queue.job WHERE name = 'formwire-forms' ORDER BY created_on")
    const worker = await startWorker(options)
    await vi.waitUntil(async () => (await states())[0]?.state === 'active', { timeout: WAIT_MS })
    const stoppedAt = Date.now()
    worker.child.kill('SIGTERM')
    expect(await worker.finished).toMatchObject({ code: 0, signal: null })
    expect(Date.now() - stoppedAt).toBeGreaterThan(9000)
    expect(worker.events().at(-1)).toEqual({ event: 'stopped' })
    // The same work is queued again, at once and without a failure.
    expect(await states()).toEqual([{ state: 'completed' }, { state: 'created' }])
    expect(await rows('main')).toBe(0)
    faults.remove(id)
    await startWorker(options)
    await vi.waitUntil(async () => (await rows('main')) === 3, { timeout: WAIT_MS })
  })
})
