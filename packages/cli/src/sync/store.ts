import { existsSync } from 'node:fs'
import type { SyncStore } from '@formwire/sync'
import { failed, usage } from '../failure.ts'
import type { DatabaseTarget } from '../input/database-target.ts'
import { asClause } from '../service-message.ts'

/** Returns the store of `--to`. @param schema of the tables in PostgreSQL */
export async function openStore(target: DatabaseTarget, schema?: string): Promise<SyncStore> {
  if (target.kind === 'sqlite') {
    const { sqliteStore } = await import('@formwire/sync/sqlite')
    return sqliteStore(target.path)
  }
  const { postgresStore } = await import('@formwire/sync/postgres')
  return postgresStore({ connectionString: target.url, schema })
}

/** Returns the store of a database that is there already: SQLite would create a file. @throws Failure exit 2 */
export async function openExistingStore(target: DatabaseTarget, schema?: string): Promise<SyncStore> {
  if (target.kind === 'sqlite' && !existsSync(target.path))
    throw usage(`${target.path} does not exist`, 'pass the database that formwire sync writes')
  return await openStore(target, schema)
}

/** Returns what to try if the tables of PostgreSQL are not where they were looked for. */
export const schemaHint = ({ kind }: DatabaseTarget, schema: string | undefined): string | undefined =>
  kind === 'postgres' && schema === undefined
    ? 'tables in a schema of their own need --schema NAME'
    : undefined

/**
 * Returns the failure for an error of the database, which exits with 1, also if it could not be reached; any other error as it is.
 *
 * @param hint What to try if there are no tables.
 */
export function databaseFailure(error: unknown, hint?: string): unknown {
  if ((error as Error)?.name !== 'StoreError') return error
  const { message, code } = error as Error & { code: string }
  // A single sentence has no period.
  const text = asClause(message) + (message.includes('. ') ? '.' : '')
  return failed(`database_${code}`, text, code === 'refused' ? hint : undefined, error)
}

/** Says what a code means: a service that rejects a key was reached. */
export function outageText(workspace: string, code: string): string {
  if (/^database_(?:unavailable|locked|closed)$/.test(code)) return `the database cannot be reached: ${code}`
  if (code.startsWith('database_')) return `workspace ${workspace} cannot use the database: ${code}`
  if (code === 'unauthorized' || code === 'forbidden')
    return `the service rejects the key of workspace ${workspace}: ${code}`
  if (code === 'foreign_page')
    return `a proxy responds instead of the service of workspace ${workspace}: ${code}`
  const what = code.endsWith('Error') ? 'cannot be reached' : 'fails'
  return `the service of workspace ${workspace} ${what}: ${code}`
}
