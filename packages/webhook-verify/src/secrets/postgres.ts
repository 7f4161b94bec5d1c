import type { PostgresOptions } from '@formwire/internal/postgres'
import { openTable } from '../postgres.ts'
import { formNamedIn, type SecretStore, type StoredSecret } from './secret-store.ts'

const COLUMNS = 'workspace_id, form_id, webhook_id, url, secret, removed_at'

const create = (table: string): string =>
  `CREATE TABLE IF NOT EXISTS ${table} (workspace_id text NOT NULL, form_id text NOT NULL, webhook_id bigint NOT NULL, ` +
  'url text NOT NULL, secret text NOT NULL, removed_at text, PRIMARY KEY (form_id, webhook_id))'

/**
 * Keeps secrets in the table `formwire_webhook_secrets`, as they are: grant it to receivers only. The table is created when it is first
 * needed. After that, a receiver needs SELECT, and sends one statement per delivery.
 * @example
 * const { secret } = createPostgresSecrets({ connectionString: process.env.DATABASE_URL })
 * createReceiver({ secret, on })
 * @throws WebhookVerificationError code "invalid_option". Its methods reject with a PostgresStoreError.
 */
export function createPostgresSecrets(options: PostgresOptions = {}): SecretStore {
  const table = openTable(options, 'formwire_webhook_secrets', create)
  const { name } = table
  return {
    async secret(request) {
      const form = formNamedIn(request)
      // The driver refuses NUL, which anyone may send.
      if (form === undefined || form.includes('\0')) return null
      const sql = `SELECT secret FROM ${name} WHERE form_id = $1 ORDER BY webhook_id DESC`
      const rows = await table.query(sql, [form])
      return rows.length === 0 ? null : rows.map(({ secret }) => String(secret))
    },
    async list(workspaceId) {
      const rows = await table.query(`SELECT ${COLUMNS} FROM ${name} WHERE workspace_id = $1`, [workspaceId])
      return rows.map((row) => {
        const stored = row as unknown as StoredSecret
        // The driver returns a bigint as text.
        return { ...stored, webhook_id: Number(stored.webhook_id) }
      })
    },
    async save(stored) {
      const { workspace_id, form_id, webhook_id, url, secret, removed_at } = stored
      await table.query(
        `INSERT INTO ${name} (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (form_id, webhook_id) DO UPDATE SET ` +
          'workspace_id = excluded.workspace_id, url = excluded.url, secret = excluded.secret, removed_at = excluded.removed_at',
        [workspace_id, form_id, webhook_id, url, secret, removed_at],
      )
    },
    async remove({ form_id, webhook_id }) {
      await table.query(`DELETE FROM ${name} WHERE form_id = $1 AND webhook_id = $2`, [form_id, webhook_id])
    },
  }
}
