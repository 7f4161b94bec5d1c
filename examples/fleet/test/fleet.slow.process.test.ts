import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createReferenceServer, RealClock } from '@formwire/reference-server'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasRedis, startRedis } from '../../../packages/sdk/test/support/redis-server.ts'
import {
  type PostgresServer,
  postgresBin,
  startPostgres,
} from '../../../packages/sync/test/support/postgres-server.ts'
import { expectResponses } from '../../../packages/sync/test/support/truth.ts'
import { bundled } from '../../../test/support/bundled.ts'
import { start } from '../../../test/support/spawn.ts'
import { scaledClock, scaledNow } from './scaled-clock.ts'

const FORMS = 1000
const WORKERS = 3
/** Forms that a worker synchronizes at a time: the default of `runWorker`. */
const JOBS_EACH = 4
const PER_MINUTE = 120
/** Decides which worker is killed, when, and what changes meanwhile. */
const SEED = 20_261_122

const bin = postgresBin()

describe.runIf(bin && hasRedis)('a fleet of three workers', () => {
  let postgres: PostgresServer
  let redis: Awaited<ReturnType<typeof startRedis>>
  let database: pg.Pool
  const workers: ChildProcess[] = []

  beforeAll(async () => {
    postgres = await startPostgres(bin as string)
    redis = await startRedis()
    database = new pg.Pool({ connectionString: postgres.url, max: 2 })
    // The server ends before its idle connections are closed.
    database.on('error', () => undefined)
    await database.query('CREATE TABLE outbox (form_id text NOT NULL, id bigint NOT NULL)')
  })
  afterAll(async () => {
    for (const worker of workers) worker.kill('SIGKILL')
    await database?.end()
    await postgres?.stop()
    await redis?.stop()
  })

  it(`[RATE-01, POLL-02] keeps the table of ${FORMS} forms equal within one budget, although one worker is killed`, {
    timeout: 900_000,
  }, async () => {
    // The service enforces the limit itself, on the clock that the workers have too.
    const clock = new RealClock({
      now: scaledNow,
      wakeAfter: (ms, wake) => scaledClock.setTimer(wake, ms),
    })
    await using server = createReferenceServer({ clock, journalSize: 100_000 })
    await server.ready
    const { app } = server
    const forms = Array.from({ length: FORMS }, (_, index) => {
      const { id } = app.forms.create({
        title: `Form ${index}`,
        questions: [{ id: 'nps', type: 'nps', title: 'Score' }],
      })
      const count = index % 100 === 0 ? 150 : index % 4
      for (let number = 0; number < count; number += 1) submit(id)
      return id
    })
    function submit(form: string): void {
      app.responses.create(form, { answers: [{ question_id: 'nps', value: random(11) }] })
    }
    const live = (form: string): number[] =>
      app.responses.list(form, 'submitted', 0, 1000).items.map(({ id }) => id)
    /** Adds a response to some form, or deletes one. */
    const change = (): void => {
      const form = forms[random(FORMS)] as string
      const ids = live(form)
      if (random(2) === 0 && ids.length > 0) app.responses.delete(form, ids[random(ids.length)] as number)
      else submit(form)
    }
    const { url } = await server.listen({ port: 0 })

    const program = await bundled(new URL('scaled-worker.ts', import.meta.url))
    const started = Array.from({ length: WORKERS }, () =>
      start([program, url, server.writeKey, postgres.url, redis.url], process.env),
    )
    workers.push(...started.map(({ child }) => child))
    const errors = (): string => started.map(({ stderr }) => stderr).join('')
    const requests = (): number => app.requests.list().length
    // While forms of the first round still wait, so that all workers have jobs.
    const killAt = Math.floor(FORMS * 0.2) + random(FORMS * 0.4)
    // Null for the killed one too.
    const areWell = (): boolean => workers.every(({ exitCode }) => exitCode === null)
    while (requests() < killAt && areWell()) {
      await sleep(50)
      change()
    }
    expect(areWell(), errors()).toBe(true)
    const victim = workers[random(WORKERS)] as ChildProcess
    const ended = once(victim, 'exit')
    // Whichever jobs the others do, at least one is left for the victim.
    await stopAll()
    while ((await jobs(`state = 'active'`)) <= (WORKERS - 1) * JOBS_EACH) {
      for (const worker of workers) worker.kill('SIGCONT')
      await sleep(50)
      expect(areWell(), errors()).toBe(true)
      await stopAll()
    }
    victim.kill('SIGKILL')
    for (const worker of workers) worker.kill('SIGCONT')
    await ended
    for (let number = 0; number < 20; number += 1) change()

    const expected = forms.flatMap((form) => live(form).map((id) => `${form} ${id}`)).sort()
    const isEqual = async (): Promise<boolean> => {
      const rows = await keys('SELECT form_id, id FROM formwire_responses WHERE deleted_at IS NULL')
      return rows.length === expected.length && rows.every((row, index) => row === expected[index])
    }
    // Of the killed worker, once their lease has ended: a new round may have made the table equal before.
    const handedOver = (): Promise<number> => jobs(`state = 'completed' AND retry_count > 0`)
    // As long as it takes: the lease, the budget, and the machine.
    while (!((await isEqual()) && (await handedOver()) > 0) && areWell()) await sleep(500)

    expect(await isEqual(), errors()).toBe(true)
    expect(await handedOver(), errors()).toBeGreaterThan(0)
    const journal = app.requests.list()
    expect(journal.filter(({ status }) => status === 429)).toEqual([])
    expect(most(journal.map(({ received_at }) => Date.parse(received_at)))).toBeLessThanOrEqual(PER_MINUTE)
    // Without the limit, on the same responses.
    await using copy = createReferenceServer({
      clock: 'manual',
      limits: 'off',
      snapshot: app.snapshot.take(),
    })
    await copy.ready
    const query = async (sql: string) => (await database.query(sql)).rows
    await expectResponses({ server: copy, query, forms })
    // Whatever was done through the transaction was done once.
    expect(await keys('SELECT form_id, id FROM outbox')).toEqual(
      await keys('SELECT form_id, id FROM formwire_responses'),
    )
    for (const worker of workers.filter((one) => one !== victim)) {
      const stopped = once(worker, 'exit')
      worker.kill('SIGTERM')
      expect(await stopped).toEqual([0, null])
    }
  })

  /** Stops all workers, and waits until the database has done what they had sent. */
  async function stopAll(): Promise<void> {
    for (const worker of workers) worker.kill('SIGSTOP')
    await sleep(50)
  }

  async function jobs(condition: string): Promise<number> {
    const { rows } = await database.query(`SELECT count(*)::int AS jobs FROM pgboss.job WHERE ${condition}`)
    return rows[0].jobs
  }

  async function keys(sql: string): Promise<string[]> {
    return (await database.query(sql)).rows.map(({ form_id, id }) => `${form_id} ${id}`).sort()
  }

  it('is what the compose file starts', () => {
    const compose = readFileSync(new URL('../compose.yaml', import.meta.url), 'utf8')
    expect(compose).toMatch(/replicas: 3\n/)
    for (const name of ['FORMWIRE_API_KEY', 'FORMWIRE_BASE_URL', 'FORMWIRE_DATABASE_URL', 'REDIS_URL'])
      expect(compose).toContain(name)
  })
})

let seed = SEED
function random(below: number): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((seed / 2_147_483_648) * below)
}

/** Returns the most instants within a minute. */
function most(instants: readonly number[]): number {
  const sorted = [...instants].sort((a, b) => a - b)
  let start = 0
  return sorted.reduce((highest, at, index) => {
    while ((sorted[start] as number) <= at - 60_000) start += 1
    return Math.max(highest, index - start + 1)
  }, 0)
}
