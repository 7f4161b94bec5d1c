/**
 * Compares the receiver of an inbox on PostgreSQL with that of `examples/queue-receiver` on Redis: deliveries that are verified, stored
 * and acknowledged, 16 at a time, and the processor time of a receiver with its database. Requires PostgreSQL and Redis.
 *
 *     npx -y pnpm@12 bench inbox
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createReferenceServer } from '@formwire/reference-server'
import { signWebhook } from '@formwire/webhook-verify'
import { createFileSecrets } from '@formwire/webhook-verify/secrets'
import { Pool } from 'undici'
import { OwnRedis } from '../packages/sdk/test/support/redis-server.ts'
import type { QueueWorkerSettings } from '../packages/sync/test/process/queue-worker-settings.ts'
import { postgresBin, startPostgres } from '../packages/sync/test/support/postgres-server.ts'
import { freePort } from '../test/support/free-port.ts'
import { node22 } from '../test/support/node-22.ts'
import { startProgram } from '../test/support/spawn.ts'
import { cpuOf } from './support/cpu-of.ts'

const DELIVERIES = 2000
const ROUNDS = Number(process.env.FORMWIRE_BENCH_ROUNDS ?? 3)
const CONCURRENT = 16
const secret = 'whsec_bench'

const bin = postgresBin()
if (!bin) throw new Error('PostgreSQL is not installed.')
const folder = mkdtempSync(join(tmpdir(), 'formwire-bench-'))
const server = createReferenceServer({ limits: 'off' })
await server.ready
const { id: form } = server.app.forms.create({ title: 'Survey', questions: [] })
const { url: baseUrl } = await server.listen({ port: 0 })
const stored = { workspace_id: '1', form_id: form, webhook_id: 1, url: baseUrl, secret, removed_at: null }
await createFileSecrets(join(folder, 'secrets.json')).save(stored)
const postgres = await startPostgres(bin)
const redis = await new OwnRedis(await freePort()).start()

/** Starts a program with the sources of this repository, which prints its port. */
async function startReceiver(
  path: string,
  argument: object,
  env: Record<string, string>,
): Promise<{ port: number; pid: number; stop(): void }> {
  const program = fileURLToPath(new URL(`../${path}`, import.meta.url))
  const given = ['--conditions=@formwire/source', '--import', 'tsx', program, JSON.stringify(argument)]
  const { child, firstLine } = startProgram(node22, given, env)
  const port = Number(/\d+$/.exec(await firstLine)?.[0])
  return { port, pid: child.pid as number, stop: () => void child.kill('SIGKILL') }
}

const settings: QueueWorkerSettings = {
  name: 'bench',
  roles: ['receive'],
  database: postgres.url,
  baseUrl,
  apiKey: server.writeKey,
  directory: folder,
  log: join(folder, 'handled.log'),
}
const inbox = await startReceiver('packages/sync/test/process/queue-worker.ts', settings, {})
const example = await startReceiver(
  'examples/queue-receiver/src/receiver-main.ts',
  {},
  { PORT: String(await freePort()), REDIS_URL: redis.url, FORMWIRE_WEBHOOK_SECRET: secret },
)

/** Returns the seconds and the processor seconds of deliveries with ids from `from` on. */
async function send(port: number, pids: number[], from: number): Promise<{ seconds: number; cpu: number }> {
  const deliveries = Array.from({ length: DELIVERIES }, (_, index) =>
    signWebhook({
      secret,
      event: 'response.submitted',
      payload: {
        event: 'response.submitted',
        form: { id: form, title: 'Survey' },
        response: {
          id: from + index,
          submitted_at: '2026-11-21T12:00:00.000Z',
          answers: [{ question_id: 'nps', title: 'Score', type: 'nps', value: 9, text: '9' }],
          score: null,
          max_score: null,
          meta: {},
        },
      },
    }),
  )
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONCURRENT })
  const cpu = (): number => pids.reduce((sum, pid) => sum + cpuOf(pid), 0) / 1e6
  const before = cpu()
  const started = performance.now()
  const each = deliveries.values()
  const sender = async (): Promise<void> => {
    for (const { headers, body } of each) {
      const { statusCode, body: received } = await pool.request({ method: 'POST', path: '/', headers, body })
      await received.dump()
      if (statusCode !== 200) throw new Error(`A receiver responded with ${statusCode}.`)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT }, sender))
  const seconds = (performance.now() - started) / 1000
  const used = cpu() - before
  await pool.close()
  return { seconds, cpu: used }
}

try {
  const ours = { seconds: 0, cpu: 0 }
  const theirs = { seconds: 0, cpu: 0 }
  // The first one warms both up.
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [total, port, pids] of [
      [theirs, example.port, [example.pid, redis.pid]],
      [ours, inbox.port, [inbox.pid, postgres.pid]],
    ] as const) {
      const { seconds, cpu } = await send(port, [...pids], 1 + round * DELIVERIES)
      if (round === 0) continue
      total.seconds += seconds
      total.cpu += cpu
    }
  const count = ROUNDS * DELIVERIES
  for (const [name, { seconds, cpu }] of Object.entries({
    'inbox on PostgreSQL': ours,
    'queue-receiver on Redis': theirs,
  }))
    console.log(
      `${name}: ${(count / seconds).toFixed(0)} deliveries a second, ${((cpu / count) * 1000).toFixed(2)} ms of processor time each`,
    )
  console.log(
    `inbox / queue-receiver: ${(theirs.seconds / ours.seconds).toFixed(2)}× the speed, ${(ours.cpu / theirs.cpu).toFixed(2)}× the processor time; load ${loadavg()[0]?.toFixed(0)}`,
  )
} finally {
  inbox.stop()
  example.stop()
  await postgres.stop()
  await redis.stop()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}
