import { onTestFinished } from 'vitest'
import { bundled } from '../../../../test/support/bundled.ts'
import { node22 } from '../../../../test/support/node-22.ts'
import { type Spawned, startProgram } from '../../../../test/support/spawn.ts'
import type { FleetOptions } from '../../src/fleet/index.ts'
import { pg } from './postgres-server.ts'

/** A worker of a fleet in a process of its own. */
export interface FleetProcess extends Spawned {
  /** What it has printed. */
  events(): { event: string; [name: string]: unknown }[]
}

/** Starts a worker on Node 22, which is killed at the end of the test. */
export async function startWorker(options: Omit<FleetOptions, 'signal'>): Promise<FleetProcess> {
  const program = await bundled(new URL('../process/fleet-worker.ts', import.meta.url))
  const spawned = startProgram(node22, [program, JSON.stringify(options)], {})
  onTestFinished(() => void spawned.child.kill('SIGKILL'))
  await spawned.firstLine
  return Object.assign(spawned, {
    events: () => spawned.stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)])),
  })
}

/** A database that workers write to. */
export interface FleetDatabase {
  url: string
  query(sql: string): Promise<Record<string, unknown>[]>
  /** Counts the live rows of a schema, before and after its tables exist. */
  rows(schema?: string): Promise<number>
}

/** Creates a database with the table `outbox`. */
export async function fleetDatabase(serverUrl: string): Promise<FleetDatabase> {
  const name = `fleet_${Math.random().toString(36).slice(2)}`
  const admin = new pg.Client({ connectionString: serverUrl })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
  await admin.end()
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const pool = new pg.Pool({ connectionString: url.href, max: 2 })
  pool.on('error', () => undefined)
  onTestFinished(() => pool.end())
  await pool.query('CREATE TABLE outbox (workspace text, form_id text, id bigint)')
  const query = async (sql: string) => (await pool.query(sql)).rows
  return {
    url: url.href,
    query,
    async rows(schema = 'public') {
      const [found] = await query(`SELECT to_regclass('${schema}.formwire_responses') IS NOT NULL AS exists`)
      if (!found.exists) return 0
      const table = `${schema}.formwire_responses`
      return (await query(`SELECT count(*)::int AS rows FROM ${table} WHERE deleted_at IS NULL`))[0].rows
    },
  }
}
