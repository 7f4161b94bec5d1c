import { failedBy } from '../database/driver.ts'

/** A prepared statement of node:sqlite or libsql. */
export interface SqliteStatement {
  all(...parameters: unknown[]): unknown[]
  run(...parameters: unknown[]): { changes: number | bigint }
}

/** The part of node:sqlite's and libsql's connections that is used; both are synchronous. */
export interface SqliteConnection {
  exec(sql: string): unknown
  prepare(sql: string): SqliteStatement
  close(): unknown
}

/**
 * Returns a function that opens a file: with `node:sqlite` where Node has it (22.13), else with libsql. Both contain SQLite itself,
 * with its own locks, and need no compiler and no download at installation.
 * @throws StoreError code "no_driver"
 */
export async function loadDriver(): Promise<(path: string) => SqliteConnection> {
  const builtin = await nodeSqlite()
  if (builtin) return (path) => new builtin.DatabaseSync(path)
  let Database: new (path: string) => SqliteConnection
  try {
    const libsql = (await import('libsql')) as unknown as { default: typeof Database }
    Database = libsql.default
  } catch (cause) {
    const message = `SQLite on Node ${process.versions.node} requires the package libsql: npm install libsql@^0.5.29, or use Node 22.13 or newer.`
    throw failedBy(cause, 'no_driver', message)
  }
  return (path) => new Database(path)
}

interface NodeSqlite {
  DatabaseSync: new (path: string) => SqliteConnection
}

async function nodeSqlite(): Promise<NodeSqlite | undefined> {
  const { emitWarning } = process
  // Node 22 prints an ExperimentalWarning on import, which would appear in the output of every program.
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (!/SQLite is an experimental feature/.test(String(warning)))
      (emitWarning as (...all: unknown[]) => void).call(process, warning, ...rest)
  }) as typeof emitWarning
  try {
    // Not a literal: bundlers and older Nodes do not know the module.
    const name = 'node:sqlite'
    return (await import(name)) as NodeSqlite
  } catch {
    return undefined
  } finally {
    process.emitWarning = emitWarning
  }
}
