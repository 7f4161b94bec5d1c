import { join } from 'node:path'
import pg from 'pg'
import { expect, vi } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import type { SqlRow, SqlValue, SyncStore } from '../../src/index.ts'
import { postgresStore } from '../../src/postgres/index.ts'
import { sqliteStore } from '../../src/sqlite/index.ts'

/** A database that the suite runs on. */
export interface TestDatabase {
  // biome-ignore lint/suspicious/noExplicitAny: the suite runs on every store
  store(): SyncStore<any>
  dialect: SyncStore['dialect']
  /** Reads or changes the database like another program. */
  query(sql: string, parameters?: readonly SqlValue[]): Promise<SqlRow[]>
  /** Resolves when a store waits for a lock. */
  blocked(): Promise<void>
  close(): Promise<void>
}

/** Milliseconds after which a store of SQLite tries again to get a lock. */
const RETRY_MS = 20

/** Resolves when a store of SQLite has found its file locked, and will try again. */
export async function retriesLock(): Promise<void> {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  try {
    await vi.waitUntil(() => timers.mock.calls.some(([, ms]) => ms === RETRY_MS), { timeout: WAIT_MS })
  } finally {
    timers.mockRestore()
  }
}

/** Creates an empty SQLite database. */
export function sqliteDatabase(): TestDatabase {
  const path = join(temporaryDirectory(), 'test.db')
  const stores = [sqliteStore(path)]
  const other = stores[0] as SyncStore
  return {
    dialect: other.dialect,
    store() {
      const store = sqliteStore(path)
      stores.push(store)
      return store
    },
    query: (sql, parameters) => other.transaction('', (session) => session.query(sql, parameters)),
    blocked: retriesLock,
    close: async () => {
      for (const store of stores) await store.close()
    },
  }
}

let schemas = 0

/** Creates an empty schema in a PostgreSQL database. */
export async function postgresDatabase(url: string): Promise<TestDatabase> {
  schemas += 1
  const schema = `t${process.pid}_${schemas}`
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  // The server ends before idle connections are closed.
  pool.on('error', () => undefined)
  await pool.query(`CREATE SCHEMA ${schema}`)
  const stores = [postgresStore({ pool, schema })]
  const other = stores[0] as SyncStore
  return {
    dialect: other.dialect,
    store() {
      const store = postgresStore({ connectionString: url, schema })
      stores.push(store)
      return store
    },
    query: (sql, parameters) => other.transaction('', (session) => session.query(sql, parameters)),
    blocked: () =>
      vi.waitFor(
        async () => {
          const { rows } = await pool.query('SELECT FROM pg_locks WHERE NOT granted')
          expect(rows.length).toBeGreaterThan(0)
        },
        { timeout: WAIT_MS },
      ),
    close: async () => {
      for (const store of stores) await store.close()
      await pool.end()
    },
  }
}

/** Adds a table for what `onResponse` writes. */
export async function withOutbox(created: Promise<TestDatabase> | TestDatabase): Promise<TestDatabase> {
  const database = await created
  const { integer } = database.store().dialect.types
  await database.query(`CREATE TABLE outbox (form_id TEXT NOT NULL, id ${integer} NOT NULL)`)
  return database
}
