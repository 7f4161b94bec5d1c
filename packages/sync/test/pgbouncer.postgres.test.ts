import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WAIT_MS } from '../../../test/support/patience.ts'
import { createSync } from '../src/index.ts'
import { postgresStore } from '../src/postgres/index.ts'
import { type PostgresServer, queryOnce, startPgbouncer, startPostgres } from './support/postgres-server.ts'
import { eventOf, startService } from './support/service.ts'

/** Connections to the server, fewer than those of the stores. */
const SIZE = 3

describe('pgbouncer in transaction mode', () => {
  let server: PostgresServer
  let bouncer: Awaited<ReturnType<typeof startPgbouncer>>
  beforeAll(async () => {
    server = await startPostgres()
    bouncer = await startPgbouncer(server, SIZE)
  })
  afterAll(async () => {
    await bouncer.stop()
    await server.stop()
  })
  const query = (sql: string) => queryOnce(server.url, sql)
  beforeEach(() => query('DROP SCHEMA public CASCADE; CREATE SCHEMA public'))

  it.each([
    ['named statements, until one is lost', {}],
    ['prepare: false', { prepare: false }],
  ])('keeps the tables equal with %s', async (_name, options) => {
    const service = await startService()
    const form = service.filled(120)
    const stores = [1, 2].map(() => postgresStore({ connectionString: bouncer.url, ...options }))
    const stop = new AbortController()
    const syncs = stores.map((store) =>
      createSync({ formwire: service.client(), store, forms: 'all', intervalMs: 5, signal: stop.signal }),
    )
    expect(await syncs[0]?.once()).toMatchObject({ inserted: 120 })
    const failures: unknown[] = []
    const running = syncs.map((sync) => sync.run())
    for (const one of running) one.catch((error: unknown) => failures.push(error))
    const deliver = (id: number) =>
      syncs[id % 2]?.handlers['response.submitted'](
        eventOf(form, 10_000 + id, {
          answers: { [`q${id % 5}`]: 'a' },
          submitted_at: '2026-10-21T12:00:00Z',
        }),
      )
    for (let start = 0; start < 60; start += 20)
      await Promise.all(Array.from({ length: 20 }, (_, index) => deliver(start + index)))
    const [added] = service.add(form, 1, () => '2026-11-21T11:00:00.000Z')
    const ids = async (where: string) =>
      (await query(`SELECT id FROM formwire_responses WHERE ${where} ORDER BY id`)).map(({ id }) =>
        Number(id),
      )
    // Deliveries of responses that the service does not have are marked, the others stay.
    await expect.poll(() => ids('deleted_at IS NULL'), { timeout: WAIT_MS }).toEqual(service.submitted(form))
    expect(await ids(`id = ${added}`)).toEqual([added])
    expect(await ids('id BETWEEN 10000 AND 10059')).toHaveLength(60)
    const view = `formwire_form_${form.toLowerCase()}`
    const [row] = await query(`SELECT * FROM ${view} LIMIT 1`)
    expect(new Set(Object.keys(row ?? {}))).toEqual(
      new Set(['id', 'submitted_at', 'nps', 'colour', 'q0', 'q1', 'q2', 'q3', 'q4']),
    )
    const [used] = await query(
      "SELECT count(*)::int AS connections FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
    )
    expect(used?.connections).toBeLessThanOrEqual(SIZE)
    stop.abort()
    await Promise.all(running)
    expect(failures).toEqual([])
    for (const store of stores) await store.close()
    await service.server.close()
  })
})
