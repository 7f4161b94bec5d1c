import type { PgBoss } from 'pg-boss'
import { failedBy } from '../database/driver.ts'
import { StoreError } from '../errors.ts'
import { connectionFailure, translated, withHint } from '../postgres/errors.ts'
import { postgresStore } from '../postgres/index.ts'
import { QUEUE_SCHEMA } from './queue-status.ts'

/** Every how many seconds the engine looks for jobs whose worker died. */
const MONITOR_SECONDS = 3

/** Every how many seconds the engine removes jobs that ended. */
const MAINTENANCE_SECONDS = 300

/** Options of {@link startEngine}. */
export interface EngineOptions {
  /** URL of the database. @default process.env.FORMWIRE_DATABASE_URL, else the variables of libpq (`PGHOST` …) */
  connectionString?: string | undefined
  /** Schema of the queues. @default 'formwire_queue' */
  schema?: string | undefined
  /** Connections at most. @default 4 */
  connections?: number | undefined
  /** Called with what fails in the background, such as an outage of the database. */
  onError(error: unknown): void
}

/**
 * Starts pg-boss, which creates its tables. Jobs of queues with `heartbeatSeconds` are free again some 15 seconds after their worker died.
 *
 * @throws StoreError code `unsupported_node` or `no_driver` before anything is connected
 */
export async function startEngine(options: EngineOptions): Promise<PgBoss> {
  const { connectionString = process.env.FORMWIRE_DATABASE_URL, schema, connections, onError } = options
  const { PgBoss } = await loadEngine()
  // Refuses what the stores refuse, before the engine creates its tables.
  const store = postgresStore({ connectionString, poolSize: 1 })
  await store.open().finally(() => store.close())
  const boss = new PgBoss({
    ...(connectionString ? { connectionString } : {}),
    schema: schema ?? QUEUE_SCHEMA,
    max: connections ?? 4,
    application_name: 'formwire-queue',
    monitorIntervalSeconds: MONITOR_SECONDS,
    superviseIntervalSeconds: MONITOR_SECONDS,
    maintenanceIntervalSeconds: MAINTENANCE_SECONDS,
    // Nothing is scheduled by cron, which sends once a minute at most.
    schedule: false,
  })
  boss.on('error', (error) => onError(translated(error)))
  try {
    return await boss.start()
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined)
    throw withHint(connectionFailure(error), Boolean(connectionString))
  }
}

/** @throws StoreError */
async function loadEngine(): Promise<typeof import('pg-boss')> {
  const { node } = process.versions
  if (!isSupported(node))
    throw new StoreError(
      `Queues on PostgreSQL require Node 22.12 or newer; this is Node ${node}.`,
      'unsupported_node',
    )
  try {
    return await import('pg-boss')
  } catch (cause) {
    const message = 'Queues on PostgreSQL require the packages pg-boss and pg: npm install pg-boss@12 pg@8'
    throw failedBy(cause, 'no_driver', message)
  }
}

/** Whether pg-boss 12 runs on a version of Node. */
export function isSupported(version: string): boolean {
  const [major, minor] = version.split('.').map(Number) as [number, number]
  return major > 22 || (major === 22 && minor >= 12)
}
