/** Runs docs/how-to/outbox.md on PostgreSQL: the synchronization that fills the outbox, the relay, and the page's own test. */

import timers from 'node:timers/promises'
import { createSeedFactory, startFormwire } from '@formwire/reference-server/testing'
import { Formwire } from '@formwire/sdk'
import * as sync from '@formwire/sync'
import { postgresStore } from '@formwire/sync/postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type PostgresServer, pg, startPostgres } from '../../packages/sync/test/support/postgres-server.ts'
import { blocksOf } from '../../scripts/docs/markdown.ts'
import { read } from '../../scripts/project/project.ts'
import { exampleOf, runExample } from '../support/examples.ts'
import { WAIT_MS } from '../support/patience.ts'

interface Message {
  id: string
  formId: string
  body: string
}
type Publish = (messages: readonly Message[]) => Promise<void>
interface Relay {
  relayOnce(pool: pg.Pool, publish: Publish): Promise<number>
  relay(pool: pg.Pool, publish: Publish, signal: AbortSignal): Promise<void>
}

const page = read('docs/how-to/outbox.md')
const [OUTBOX = ''] = blocksOf(page).flatMap(({ language, code }) => (language === 'sql' ? code : []))
const FORM = 'guestvoice01'
const pgModule = { default: pg }

/** The relay of the page. What it reports is added to \`reported\`. */
async function relayOf(reported: unknown[] = []): Promise<Relay> {
  const modules = { 'node:timers/promises': { setTimeout: timers.setTimeout }, pg: pgModule }
  const values = { console: { error: (error: unknown) => reported.push(error) } }
  return (await runExample(exampleOf('outbox.md', 'TAKE ='), { modules, values })) as unknown as Relay
}

/** Takes the place of \`process\`: SIGTERM is sent by the test. */
function createProcess(url: string) {
  let onSignal: () => void
  const env = { FORMWIRE_DATABASE_URL: url }
  const once = (_signal: string, listener: () => void) => {
    onSignal = listener
  }
  return { value: { env, once }, terminate: () => onSignal() }
}

describe('outbox.md', () => {
  let server: PostgresServer
  let pool: pg.Pool
  beforeAll(async () => {
    server = await startPostgres()
    pool = new pg.Pool({ connectionString: server.url, max: 4 })
    pool.on('error', () => undefined)
  })
  beforeEach(async () => {
    await pool.query(`DROP TABLE IF EXISTS outbox; ${OUTBOX}`)
  })
  afterAll(async () => {
    await pool?.end()
    await server?.stop()
  })

  const fill = (rows: readonly (readonly [form: string, id: number])[]) =>
    pool.query(
      `INSERT INTO outbox (form_id, response_id, body) SELECT form, id, '{}'
        FROM unnest($1::text[], $2::bigint[]) AS rows(form, id)`,
      [rows.map(([form]) => form), rows.map(([, id]) => id)],
    )

  it('passes each response of the service on once, and nothing twice after a restart', async () => {
    const make = await createSeedFactory(1)
    const kit = await startFormwire({ seed: make.seed(make.form({ id: FORM, responses: 5 })), limits: 'off' })
    const published: Message[] = []
    const run = async (isOver: () => Promise<boolean> | boolean, code: string, given: object) => {
      const process = createProcess(server.url)
      const modules = {
        '@formwire/sdk': {
          Formwire: class {
            constructor() {
              // biome-ignore lint/correctness/noConstructorReturn: the example creates its own client
              return new Formwire(kit.clientOptions)
            }
          },
        },
        '@formwire/sync': sync,
        '@formwire/sync/postgres': { postgresStore },
        './relay.ts': await relayOf(),
        pg: pgModule,
      }
      const running = runExample(code, { modules, values: { process: process.value, console, ...given } })
      await expect.poll(isOver, { timeout: WAIT_MS }).toBe(true)
      process.terminate()
      await running
    }
    const count = async () => (await pool.query('SELECT count(*)::int AS rows FROM outbox')).rows[0].rows
    const synchronization = exampleOf('outbox.md', 'createSync(')
    await run(async () => (await count()) === 5, synchronization, {})
    const publish: Publish = async (messages) => {
      published.push(...messages)
    }
    await run(async () => (await count()) === 0, exampleOf('outbox.md', 'declare const publish'), { publish })
    const responses = await new Formwire(kit.clientOptions).responses.list(FORM)
    const expected = responses.data.map(({ id }) => `${FORM}-${id}`)
    expect(published.map(({ id }) => id).sort()).toEqual(expected.sort())
    expect(published.map(({ body }) => JSON.parse(body))).toMatchObject(
      published.map((message) => ({
        form_id: message.formId,
        id: Number(message.id.split('-')[1]),
        complete: true,
      })),
    )
    const sent = kit.server.app.requests.list().length
    await run(() => kit.server.app.requests.list().length > sent + 1, synchronization, {})
    expect(await count()).toBe(0)
    await kit.close()
  })

  it('publishes again after a failure behind the publication', async () => {
    await fill([['a', 1]])
    const { relayOnce } = await relayOf()
    const published: string[] = []
    await relayOnce(pool, async (messages) => {
      published.push(...messages.map(({ id }) => id))
      await pool.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction'",
      )
    }).catch(() => undefined)
    await relayOnce(pool, async (messages) => void published.push(...messages.map(({ id }) => id)))
    expect(published).toEqual(['a-1', 'a-1'])
  })

  it('has a test of a lost acknowledgement that passes', async () => {
    let run: (() => Promise<void>) | undefined
    const vitest = {
      expect,
      test: (_title: string, body: () => Promise<void>) => {
        run = body
      },
    }
    const modules = { vitest, pg: pgModule, './relay.ts': await relayOf() }
    const values = { process: createProcess(server.url).value }
    await runExample(exampleOf('outbox.md', 'createFakeBroker'), { modules, values })
    expect(run).toBeDefined()
    await run?.()
  })

  it('keeps the order of each form, and publishes nothing twice, with four relays at once', async () => {
    const rows = Array.from({ length: 1500 }, (_, index) => [`form-${index % 3}`, index] as const)
    await fill(rows)
    const { relayOnce } = await relayOf()
    const published = new Map<string, number[]>()
    const publish: Publish = async (messages) => {
      await timers.setTimeout(5)
      for (const { id, formId } of messages)
        published.set(formId, [...(published.get(formId) ?? []), Number(id.split('-')[2])])
    }
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        const isEmpty = async () => (await pool.query('SELECT 1 FROM outbox LIMIT 1')).rows.length === 0
        while ((await relayOnce(pool, publish)) > 0 || !(await isEmpty()));
      }),
    )
    expect(published.size).toBe(3)
    for (const [form, ids] of published)
      expect(ids).toEqual(rows.flatMap(([of, id]) => (of === form ? [id] : [])))
  })

  it('goes on with other forms while the broker refuses the messages of one', async () => {
    await fill([
      ['a', 1],
      ['b', 2],
      ['b', 3],
    ])
    const startedAt = (await pool.query('SELECT now() AS at')).rows[0].at
    const reported: unknown[] = []
    const { relay } = await relayOf(reported)
    const stop = new AbortController()
    const published: string[] = []
    const running = relay(
      pool,
      async (messages) => {
        if (messages.some(({ formId }) => formId === 'a')) throw new Error('too large')
        published.push(...messages.map(({ id }) => id))
      },
      stop.signal,
    )
    await expect.poll(() => published, { timeout: WAIT_MS }).toEqual(['b-2', 'b-3'])
    stop.abort()
    await running
    expect(reported[0]).toEqual(new Error('too large'))
    const { rows } = await pool.query(
      `SELECT form_id, attempts > 0 AS failed, retry_at >= $1::timestamptz + interval '2 s' AS later FROM outbox`,
      [startedAt],
    )
    expect(rows).toEqual([{ form_id: 'a', failed: true, later: true }])
  })
})
