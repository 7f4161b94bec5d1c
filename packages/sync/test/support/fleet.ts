import type { ReferenceServer } from '@formwire/reference-server'
import { onTestFinished, vi } from 'vitest'
import { bundled } from '../../../../test/support/bundled.ts'
import { node22 } from '../../../../test/support/node-22.ts'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { type Spawned, startProgram } from '../../../../test/support/spawn.ts'
import type { FleetOptions } from '../../src/fleet/index.ts'
import type { SqlRow } from '../../src/index.ts'
import { pg, queryOnce } from './postgres-server.ts'
import type { Service } from './service.ts'

/** A worker of a fleet in a process of its own. */
export interface FleetProcess extends Spawned {
  /** What it has printed. */
  events(): Printed[]
  /** Has it print its status. */
  status(): Promise<Printed>
}

type Printed = { event: string; [name: string]: unknown }

/** Has something done at the end, by default of the test. */
export type AtEnd = (undo: () => unknown) => void

const atEndOfTest: AtEnd = (undo) => onTestFinished(async () => void (await undo()))

/** Starts a worker on Node 22, which is killed at the end. @param clockMs how far its clock is ahead */
export async function startWorker(
  options: Omit<FleetOptions, 'signal'>,
  { clockMs = 0, atEnd = atEndOfTest }: { clockMs?: number; atEnd?: AtEnd } = {},
): Promise<FleetProcess> {
  const program = await bundled(new URL('../process/fleet-worker.ts', import.meta.url))
  const clock =
    clockMs === 0 ? [] : ['--import', `data:text/javascript,${encodeURIComponent(ahead(clockMs))}`]
  const spawned = startProgram(node22, [...clock, program, JSON.stringify(options)], {})
  atEnd(() => spawned.child.kill('SIGKILL'))
  await spawned.firstLine
  const events = (): Printed[] =>
    spawned.stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  const statuses = () => events().filter(({ event }) => event === 'status')
  return Object.assign(spawned, {
    events,
    async status() {
      const { length } = statuses()
      spawned.child.kill('SIGUSR2')
      await until(() => statuses().length > length)
      return statuses().at(-1) as Printed
    },
  })
}

/** A program whose process has another time of day from then on. */
const ahead = (ms: number): string => `
  const real = Date
  globalThis.Date = class Date extends real {
    constructor(...given) {
      if (given.length === 0) super(real.now() + ${ms})
      else super(...given)
    }
    static now() {
      return real.now() + ${ms}
    }
  }`

/** Waits as long as a busy machine may take. */
export const until = (isSo: () => unknown): Promise<unknown> => vi.waitUntil(isSo, { timeout: WAIT_MS })

/** A database that workers write to. */
export interface FleetDatabase {
  url: string
  query(sql: string, values?: readonly unknown[]): Promise<SqlRow[]>
  /** Counts the live rows of a schema, before and after its tables exist. */
  rows(schema?: string): Promise<number>
}

/** Creates a database with the table `outbox`. */
export async function fleetDatabase(serverUrl: string, atEnd = atEndOfTest): Promise<FleetDatabase> {
  const name = `fleet_${Math.random().toString(36).slice(2)}`
  await queryOnce(serverUrl, `CREATE DATABASE ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const pool = new pg.Pool({ connectionString: url.href, max: 2 })
  pool.on('error', () => undefined)
  atEnd(() => pool.end())
  await pool.query('CREATE TABLE outbox (workspace text, form_id text, id bigint)')
  const query: FleetDatabase['query'] = async (sql, values = []) => (await pool.query(sql, [...values])).rows
  return {
    url: url.href,
    query,
    async rows(schema = 'public') {
      const [found] = await query(`SELECT to_regclass('${schema}.formwire_responses') IS NOT NULL AS exists`)
      if (!found?.exists) return 0
      const table = `${schema}.formwire_responses`
      const [counted] = await query(`SELECT count(*) AS rows FROM ${table} WHERE deleted_at IS NULL`)
      return Number(counted?.rows)
    },
  }
}

/** Starts a worker, for the workspace `main` of a service if no others are given: without limits, and with a round a second. */
export async function startMain(
  connectionString: string,
  { service, ...options }: Partial<FleetOptions> & { service?: Service },
): Promise<FleetProcess> {
  const workspaces = options.workspaces ?? [await workspaceOf('main', (service as Service).server)]
  return await startWorker({ connectionString, intervalMs: 1000, rateLimit: false, ...options, workspaces })
}

/** A workspace with a schema of its own, at a service that is closed at the end of the test. */
export async function workspaceOf(name: string, server: ReferenceServer) {
  const { url } = await server.listen({ port: 0 })
  onTestFinished(() => server.close())
  return { name, apiKeys: [server.writeKey], baseUrl: url, schema: name }
}
