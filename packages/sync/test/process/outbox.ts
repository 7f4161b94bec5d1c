import type { PostgresTransaction } from '../../src/postgres/index.ts'
import type { SqliteTransaction } from '../../src/sqlite/index.ts'

/** Writes the ids of a response to the table `outbox`, in the transaction of the row. */
export async function toOutbox(
  { form_id, id }: { form_id: string; id: number },
  transaction: PostgresTransaction | SqliteTransaction,
): Promise<void> {
  if ('query' in transaction) await transaction.query('INSERT INTO outbox VALUES ($1, $2)', [form_id, id])
  else transaction.run('INSERT INTO outbox VALUES (?, ?)', form_id, id)
}
