/**
 * Measures the first synchronization of a fleet without a rate limit: 1, 2 and 3 workers, at a latency of 100 ms and without. Each worker
 * reads one form at a time, so that two cores are enough for three workers at the latency. Requires PostgreSQL.
 *
 *     npx -y pnpm@12 bench fleet       # FORMWIRE_BENCH_FORMS=1000 for more forms
 */
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { createReferenceServer, type ReferenceServer } from '@formwire/reference-server'
import type { FleetOptions } from '@formwire/sync/fleet'
import { pg, postgresBin, startPostgres } from '../packages/sync/test/support/postgres-server.ts'
import { node22 } from '../test/support/node-22.ts'
import { startProgram } from '../test/support/spawn.ts'
import { cpuOf } from './support/cpu-of.ts'

const FORMS = Number(process.env.FORMWIRE_BENCH_FORMS ?? 300)
const RESPONSES = 10
const WORKER = fileURLToPath(new URL('../packages/sync/test/process/fleet-worker.ts', import.meta.url))
const START = Date.parse('2026-01-01T00:00:00Z')

const bin = postgresBin()
if (!bin) throw new Error('PostgreSQL is not installed.')
const postgres = await startPostgres(bin)

function addForms({ app }: ReferenceServer): void {
  for (let form = 0; form < FORMS; form += 1) {
    const questions = [{ id: 'nps', type: 'nps', title: 'Would you recommend us?' }]
    const { id } = app.forms.create({ title: `Form ${form}`, questions })
    app.forms.publish(id)
    for (let index = 0; index < RESPONSES; index += 1) {
      const submitted_at = new Date(START + index * 1000).toISOString()
      app.responses.create(id, { submitted_at, answers: [{ question_id: 'nps', value: index }] })
    }
  }
}

/** Returns the seconds from when workers that follow find the forms until all rows are there. */
async function firstSync(workers: number, delay_ms: number): Promise<number> {
  const name = `fleet_${workers}_${delay_ms}`
  const admin = new pg.Client({ connectionString: postgres.url })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
  await admin.end()
  const url = new URL(postgres.url)
  url.pathname = name
  const database = new pg.Client({ connectionString: url.href })
  await database.connect()
  await database.query('CREATE TABLE outbox (workspace text, form_id text, id bigint)')
  await using server = createReferenceServer({ limits: 'off', journalSize: 10_000 })
  const { url: baseUrl } = await server.listen({ port: 0 })
  if (delay_ms > 0) server.app.faults.add({ delay_ms })
  const options: FleetOptions = {
    connectionString: url.href,
    workspaces: [{ name: 'main', apiKeys: [server.writeKey], baseUrl }],
    intervalMs: 2000,
    concurrency: 1,
    rateLimit: false,
  }
  const given = ['--conditions=@formwire/source', '--import', 'tsx', WORKER, JSON.stringify(options)]
  const started = Array.from({ length: workers }, () => startProgram(node22, given, {}))
  for (const { firstLine } of started) await firstLine
  const cpuOfWorkers = (): number => started.reduce((sum, { child }) => sum + cpuOf(child.pid as number), 0)
  const before = { postgres: cpuOf(postgres.pid), workers: cpuOfWorkers() }
  addForms(server)
  const from = Date.now()
  const rows = async (): Promise<number> =>
    Number((await database.query('SELECT count(*) FROM outbox')).rows[0].count)
  while ((await rows()) < FORMS * RESPONSES) await new Promise((resolve) => setTimeout(resolve, 100))
  const seconds = (Date.now() - from) / 1000
  const requests = server.app.requests.list().filter(({ received_at }) => Date.parse(received_at) >= from)
  const each = (micros: number): string => `${(micros / requests.length / 1000).toFixed(1)} ms`
  console.log(
    `${workers} workers at ${delay_ms} ms: ${seconds.toFixed(1)} s, ${requests.length} requests, ` +
      `processor time a request: workers ${each(cpuOfWorkers() - before.workers)}, PostgreSQL ${each(cpuOf(postgres.pid) - before.postgres)}; load ${loadavg()[0]?.toFixed(0)}`,
  )
  for (const { child, finished } of started) {
    child.kill('SIGTERM')
    await finished
  }
  await database.end()
  return seconds
}

try {
  for (const delay of [100, 0]) {
    const seconds: number[] = []
    for (const workers of [1, 2, 3]) seconds.push(await firstSync(workers, delay))
    const [one = 0, , three = 0] = seconds
    const goal = delay > 0 ? ' (at least 2.5)' : ''
    console.log(`${delay} ms: three workers / one, ${(one / three).toFixed(2)}×${goal}`)
  }
} finally {
  await postgres.stop()
}
