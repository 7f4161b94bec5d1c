import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundled } from '../../../test/support/bundled.ts'
import { byTier } from '../../../test/support/cases.ts'
import { start } from '../../../test/support/spawn.ts'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { createSync, type SqlRow, type SyncStore } from '../src/index.ts'
import { postgresStore } from '../src/postgres/index.ts'
import { sqliteStore } from '../src/sqlite/index.ts'
import { toOutbox } from './process/outbox.ts'
import { postgresBin, startPostgres } from './support/postgres-server.ts'
import { seeded } from './support/random.ts'
import { startService } from './support/service.ts'

const kills = Number(process.env.FORMWIRE_KILLS ?? byTier(4, 20))

let program = ''
beforeAll(async () => {
  program = await bundled(new URL('process/sync-worker.ts', import.meta.url))
})
const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

const bin = postgresBin()

describe('a process that is killed', () => {
  it(`[POLL-02] loses and repeats nothing in SQLite in ${kills} kills with SIGKILL at random requests`, {
    timeout: 3_600_000,
  }, async () => {
    const path = join(temporaryDirectory(), 'test.db')
    const query = await killAtRandom('sqlite', path, () => sqliteStore(path))
    expect(await query('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  })

  it.skipIf(!bin)(
    `[POLL-02] loses and repeats nothing in PostgreSQL in ${kills} kills with SIGKILL at random requests`,
    { timeout: 3_600_000 },
    async () => {
      const { url, stop } = await startPostgres(bin as string)
      closing.push(stop)
      await killAtRandom('postgres', url, () => postgresStore({ connectionString: url }))
    },
  )
})

/** Kills one process after the other while the form changes, then compares the table and the outbox with the service. */
async function killAtRandom(
  kind: 'sqlite' | 'postgres',
  target: string,
  // biome-ignore lint/suspicious/noExplicitAny: the transaction is that of either store
  createStore: () => SyncStore<any>,
): Promise<(sql: string) => Promise<SqlRow[]>> {
  const service = await startService()
  const { app, writeKey } = service.server
  const { url } = await service.server.listen({ port: 0 })
  const form = service.form()
  service.add(form, 30)
  const other = createStore()
  const query = (sql: string): Promise<SqlRow[]> => other.transaction('', (session) => session.query(sql))
  closing.push(() => other.close())
  await query('CREATE TABLE outbox (id INTEGER NOT NULL)')
  const random = seeded(7)
  for (let kill = 0; kill < kills; kill += 1) {
    app.requests.clear()
    const worker = start([program, url, writeKey, form, kind, target], process.env)
    const until = 1 + random(20)
    while (app.requests.list().length < until && worker.child.exitCode === null) {
      await sleep(1)
      if (random(4) > 0) continue
      const ids = service.submitted(form)
      if (random(2) === 0 && ids.length > 10) app.responses.delete(form, ids[random(ids.length)] as number)
      else app.responses.create(form, { answers: [{ question_id: 'nps', value: random(11) }] })
    }
    expect(worker.stderr).toBe('')
    worker.child.kill('SIGKILL')
    await worker.finished
  }
  const store = createStore()
  await createSync({
    formwire: service.client(),
    store,
    forms: [form],
    per_page: 5,
    onResponse: toOutbox,
  }).once()
  const ids = async (sql: string): Promise<number[]> => (await query(sql)).map(({ id }) => Number(id))
  expect(await ids('SELECT id FROM formwire_responses WHERE deleted_at IS NULL ORDER BY id')).toEqual(
    service.submitted(form),
  )
  expect(await ids('SELECT id FROM outbox ORDER BY id')).toEqual(
    await ids('SELECT id FROM formwire_responses ORDER BY id'),
  )
  await store.close()
  await service.server.close()
  return query
}
