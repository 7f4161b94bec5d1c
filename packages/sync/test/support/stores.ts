import { join } from 'node:path'
import pg from 'pg'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import type { SqlRow, SqlValue, SyncStore } from '../../src/index.ts'
import { postgresStore } from '../../src/postgres/index.ts'
import { sqliteStore } from '../../src/sqlite/index.ts'

/** A database that the suite runs on. */
export interface TestDatabase {
  // biome-ignore lint/suspicious/noExplicitAny: the suite runs on every store
  store(): SyncStore<any>
  /** Reads or changes the database like another program. */
  query(sql: string, parameters?: readonly SqlValue[]): Promise<SqlRow[]>
  close(): Promise<void>
}

/** Creates an empty SQLite database. */
export function sqliteDatabase(): TestDatabase {
  const path = join(temporaryDirectory(), 'test.db')
  const stores = [sqliteStore(path)]
  const other = stores[0] as SyncStore
  return {
    store() {
      const store = sqliteStore(path)
      stores.push(store)
      return store
    },
    query: (sql, parameters) => other.transaction('', (session) => session.query(sql, parameters)),
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
    store() {
      const store = postgresStore({ connectionString: url, schema })
      stores.push(store)
      return store
    },
    query: (sql, parameters) => other.transaction('', (session) => session.query(sql, parameters)),
    close: async () => {
      for (const store of stores) await store.close()
      await pool.end()
    },
  }
}
