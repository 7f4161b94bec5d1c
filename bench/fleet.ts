/**
 * What the workers of examples/fleet carry on PostgreSQL if the rate limit does not: how long one and three workers take for the first
 * synchronization of 1,000 forms and for changes of all of them, and the processor time of a request. Service, workers and PostgreSQL
 * share the machine.
 *
 *     npx -y pnpm@12 bench fleet        # or: npx tsx --conditions=@formwire/source bench/fleet.ts [WORKERS…]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createReferenceServer } from '@formwire/reference-server'
import { pg, postgresBin, startPostgres } from '../packages/sync/test/support/postgres-server.ts'
import { cpuOf } from './support/cpu-of.ts'

const FORMS = 1_000
/** Responses of each form before the first synchronization. */
const OLD_RESPONSES = 10
/** A key may send this many requests a minute (RATE-01). */
const PER_MINUTE = 120

async function measure(bin: string, workers: number): Promise<void> {
  const postgres = await startPostgres(bin)
  const database = new pg.Pool({ connectionString: postgres.url, max: 1 })
  // The server ends before its idle connections are closed.
  database.on('error', () => undefined)
  await using server = createReferenceServer({ limits: 'off', journalSize: 1_000_000 })
  await server.ready
  const { app } = server
  const { url } = await server.listen({ port: 0 })
  const path = fileURLToPath(new URL('./support/fleet-worker.ts', import.meta.url))
  const flags = ['--conditions=@formwire/source', '--import', 'tsx']
  const children = Array.from({ length: workers }, (_, number) => {
    const { key } = app.keys.create({ name: `worker ${number}`, scope: 'read' })
    return spawn(process.execPath, [...flags, path, url, key, postgres.url], { stdio: 'inherit' })
  })
  /** Waits until the table has a number of rows, and prints what that took. */
  const phase = async (name: string, rows: number, change: () => void): Promise<void> => {
    const cpu = () => ({
      workers: children.reduce((sum, { pid }) => sum + cpuOf(pid as number), 0),
      postgres: cpuOf(postgres.pid),
    })
    app.requests.clear()
    const before = cpu()
    const started = performance.now()
    change()
    const count = async (): Promise<number> =>
      Number((await database.query('SELECT count(*) AS number FROM formwire_responses')).rows[0].number)
    while ((await count().catch(() => 0)) < rows) await sleep(50)
    const seconds = (performance.now() - started) / 1000
    const requests = app.requests.list().length
    const after = cpu()
    const each = (of: 'workers' | 'postgres'): string =>
      `${((after[of] - before[of]) / 1000 / requests).toFixed(1)} ms`
    const keys = Math.floor((requests / seconds / PER_MINUTE) * 60)
    console.log(
      `| ${workers} | ${name} | ${seconds.toFixed(1)} s | ${requests.toLocaleString('en-US')} | ${(requests / seconds).toFixed(0)} | ${keys} | ${each('workers')} | ${each('postgres')} |`,
    )
  }
  try {
    // Until each worker has done a round, so that its start is not measured.
    const seen = (): number => new Set(app.requests.list().map(({ key_id }) => key_id)).size
    while (seen() < workers) await sleep(50)
    const questions = [{ id: 'nps', type: 'nps', title: 'Would you recommend us?' }]
    const answers = [{ question_id: 'nps', value: 9 }]
    const forms: string[] = []
    await phase('first synchronization', FORMS * OLD_RESPONSES, () => {
      for (let number = 0; number < FORMS; number += 1) {
        const { id } = app.forms.create({ title: 'Survey', questions })
        forms.push(id)
        for (let index = 0; index < OLD_RESPONSES; index += 1) app.responses.create(id, { answers })
      }
    })
    await phase('a new response to each form', FORMS * (OLD_RESPONSES + 1), () => {
      for (const form of forms) app.responses.create(form, { answers })
    })
  } finally {
    await Promise.all(
      children.map((child) => {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        return ended
      }),
    )
    await database.end()
    await postgres.stop()
  }
}

const bin = postgresBin()
if (bin) {
  console.log(
    '| workers | what | time | requests | requests a second | keys at their limit | worker, a request | PostgreSQL, a request |',
  )
  console.log(`|${'---|'.repeat(8)}`)
  const given = process.argv.slice(2).map(Number)
  for (const workers of given.length > 0 ? given : [1, 3]) await measure(bin, workers)
} else console.log('PostgreSQL is not installed.')
