import type { PostgresTransaction } from '../../src/postgres/index.ts'
import type { SqliteTransaction } from '../../src/sqlite/index.ts'

/** Writes the id of a response to the table `outbox`, in the transaction of the row. */
export async function toOutbox(
  { id }: { id: number },
  transaction: PostgresTransaction | SqliteTransaction,
): Promise<void> {
  if ('query' in transaction) await transaction.query('INSERT INTO outbox (id) VALUES ($1)', [id])
  else transaction.run('INSERT INTO outbox (id) VALUES (?)', id)
}
