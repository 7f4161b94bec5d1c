import type { SyncStore } from '@formwire/sync'
import { EXIT } from '../exit.ts'
import { Failure } from '../failure.ts'
import type { DatabaseTarget } from '../input/database-target.ts'

/** Opens the database of `--to`. @param schema of the tables in PostgreSQL */
export async function openStore(target: DatabaseTarget, schema?: string): Promise<SyncStore> {
  if (target.kind === 'sqlite') {
    const { sqliteStore } = await import('@formwire/sync/sqlite')
    return sqliteStore(target.path)
  }
  const { postgresStore } = await import('@formwire/sync/postgres')
  return postgresStore({ connectionString: target.url, schema })
}

/** Returns the failure of a database, which exits with 1, also if it could not be reached. Other errors stay as they are. */
export function databaseFailure(error: unknown): unknown {
  if ((error as Error)?.name !== 'StoreError') return error
  const { message, code } = error as Error & { code: string }
  // Messages of the command line begin with a small letter, unless with a name, and a single sentence has no period.
  const sentence = message.replace(/^(?:Cannot|The|Queues)\b/, (word) => word.toLowerCase())
  const text = sentence.includes('. ') ? sentence : sentence.replace(/\.$/, '')
  return new Failure(text, { exitCode: EXIT.failed, code: `database_${code}`, cause: error })
}
