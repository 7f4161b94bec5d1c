import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type FleetDatabase, type FleetProcess, fleetDatabase, startWorker } from '../support/fleet.ts'
import { mostInMinute } from '../support/fleet-stage.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { type Service, startService } from '../support/service.ts'
import { expectForms, expectResponses } from '../support/truth.ts'

const PATIENCE_MS = 300_000

describe('a fleet of several workers', () => {
  let postgres: PostgresServer
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())

  it('[RATE-01, POLL-02] has the forms of a killed worker read by the others, within one budget', {
    timeout: 900_000,
  }, async () => {
    // More requests than a minute allows.
    const { service, forms, database, worker } = await setup({ forms: 150, limited: true })
    const workers = [await worker(), await worker(), await worker()]
    const [victim, ...others] = workers as [FleetProcess, ...FleetProcess[]]
    // Slow enough that each worker holds forms.
    const fault = service.server.app.faults.add({ path: '/api/v1/forms/*/responses', delay_ms: 500 })
    await vi.waitUntil(async () => (await database.rows()) > 0, { timeout: PATIENCE_MS })
    const held = async () =>
      (await jobs(database, `state = 'active' AND heartbeat_on < now() - interval '5 seconds'`)).length
    // It may hold none at the moment when it is stopped, or not work yet.
    const isStoppedWithForms = async (): Promise<boolean> => {
      victim.child.kill('SIGSTOP')
      for (let looks = 0; looks < 20; looks += 1) {
        if ((await held()) > 0) return true
        await sleep(500)
      }
      victim.child.kill('SIGCONT')
      return false
    }
    await vi.waitUntil(isStoppedWithForms, { timeout: PATIENCE_MS, interval: 2000 })
    victim.child.kill('SIGKILL')
    service.server.app.faults.remove(fault.id)
    change(service, forms)
    await expectEqual(service, forms, database)
    const journal = service.server.app.requests.list()
    expect(journal.filter(({ status }) => status === 429)).toEqual([])
    expect(mostInMinute(journal.map(({ received_at }) => Date.parse(received_at)))).toBeLessThanOrEqual(120)
    for (const { child, finished } of others) {
      child.kill('SIGTERM')
      expect(await finished).toMatchObject({ code: 0 })
    }
  })

  it('continues after PostgreSQL was away between a round and its forms', { timeout: 900_000 }, async () => {
    const { service, forms, database, worker } = await setup()
    const workers = [await worker(), await worker()]
    await expectEqual(service, forms, database)
    for (let outage = 0; outage < 3; outage += 1) {
      // A round takes so long that it is in progress when the database goes away.
      const fault = service.server.app.faults.add({ path: '/api/v1/forms', delay_ms: 1500 })
      await vi.waitUntil(
        async () => (await jobs(database, `name = 'formwire-rounds' AND state = 'active'`)).length > 0,
        { timeout: PATIENCE_MS },
      )
      change(service, forms)
      await postgres.halt()
      await sleep(5000)
      await postgres.restart()
      service.server.app.faults.remove(fault.id)
      await expectEqual(service, forms, database)
    }
    await expectForms({ server: service.server, query: database.query, forms })
    for (const { child, finished, events } of workers) {
      expect(events().some(({ event }) => event === 'error')).toBe(true)
      child.kill('SIGTERM')
      expect(await finished).toMatchObject({ code: 0 })
    }
  })

  async function setup({ forms: count = 60, limited = false } = {}) {
    const journalSize = 10_000
    const service = await startService(limited ? { clock: 'real', limits: {}, journalSize } : { journalSize })
    const forms = Array.from({ length: count }, (_, index) => service.form(`Form ${index}`))
    for (const [index, form] of forms.entries()) service.add(form, index % 10 === 0 ? 130 : index % 4)
    const database = await fleetDatabase(postgres.url)
    const { url } = await service.server.listen({ port: 0 })
    onTestFinished(() => service.server.close())
    const workspaces = [{ name: 'main', apiKeys: [service.server.writeKey], baseUrl: url }]
    const options = { connectionString: database.url, workspaces, intervalMs: limited ? 10_000 : 1000 }
    const worker = () => startWorker(limited ? options : { ...options, rateLimit: false })
    return { service, forms, database, worker }
  }
})

/** Adds a response to every third form, and deletes one of every fifth. */
function change(service: Service, forms: readonly string[]): void {
  for (const [index, form] of forms.entries()) {
    if (index % 3 === 0) service.add(form, 1, () => '2026-11-21T11:30:00.000Z')
    const [oldest] = service.submitted(form)
    if (index % 5 === 0 && oldest !== undefined) service.server.app.responses.delete(form, oldest)
  }
}

const jobs = ({ query }: FleetDatabase, condition: string) =>
  query(`SELECT name, singleton_key FROM formwire_queue.job WHERE ${condition}`)

/** Waits until the table is equal, and checks that what was done through the transaction was done once. */
async function expectEqual(
  service: Service,
  forms: readonly string[],
  { query }: FleetDatabase,
): Promise<void> {
  // On the same responses, whose requests are of no budget.
  const { server } = await startService({ snapshot: service.server.app.snapshot.take() })
  await vi.waitFor(() => expectResponses({ server, query, forms }), { timeout: PATIENCE_MS, interval: 500 })
  const count = async (sql: string) => Number((await query(sql))[0]?.count)
  const rows = await count('SELECT count(*) FROM formwire_responses')
  expect(await count('SELECT count(*) FROM outbox')).toBe(rows)
  expect(await count('SELECT count(*) FROM (SELECT DISTINCT form_id, id FROM outbox) AS o')).toBe(rows)
}
