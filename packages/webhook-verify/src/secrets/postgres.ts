import { invalidOption, shown } from '../verification/check-options.ts'
import { formNamedIn, type SecretStore, type StoredSecret } from './secret-store.ts'

/** The part of a pool of the package `pg` that is used. */
export interface PostgresSecretsPool {
  query(sql: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

/** Options of {@link createPostgresSecrets}. */
export interface PostgresSecretsOptions {
  /** Schema of the table `formwire_webhook_secrets`. @default the first one of the search path */
  schema?: string | undefined
}

const COLUMNS = 'workspace_id, form_id, webhook_id, url, secret, removed_at'

/**
 * Keeps secrets in the table `formwire_webhook_secrets`, as they are: grant it to receivers only. A receiver needs SELECT, and sends one
 * statement per delivery. The first write creates the table.
 * @param pool a pool of the package `pg`.
 * @example
 * const { secret } = createPostgresSecrets(new pg.Pool({ connectionString }))
 * createReceiver({ secret, on })
 */
export function createPostgresSecrets(
  pool: PostgresSecretsPool,
  options: PostgresSecretsOptions = {},
): SecretStore {
  if (typeof pool?.query !== 'function')
    throw invalidOption(`pool must be a pool of the package pg, got ${shown(pool)}.`)
  const { schema } = options
  const prefix = schema === undefined ? '' : `"${schema.replaceAll('"', '""')}".`
  const table = `${prefix}formwire_webhook_secrets`
  let creating: Promise<unknown> | undefined
  const run = async (sql: string, values?: unknown[]): Promise<unknown[]> =>
    (await pool.query(sql, values)).rows

  const create = (): Promise<unknown> => {
    creating ??= run(
      `CREATE TABLE IF NOT EXISTS ${table} (workspace_id text NOT NULL, form_id text NOT NULL, webhook_id bigint NOT NULL, ` +
        'url text NOT NULL, secret text NOT NULL, removed_at text, PRIMARY KEY (form_id, webhook_id))',
    ).catch((error) => {
      creating = undefined
      throw error
    })
    return creating
  }

  return {
    async secret(request) {
      const form = formNamedIn(request)
      // The driver refuses NUL, which anyone may send.
      if (form === undefined || form.includes('\0')) return null
      const rows = await run(`SELECT secret FROM ${table} WHERE form_id = $1 ORDER BY webhook_id DESC`, [
        form,
      ])
      return rows.length === 0 ? null : rows.map((row) => (row as StoredSecret).secret)
    },
    async list(workspaceId) {
      await create()
      const rows = await run(`SELECT ${COLUMNS} FROM ${table} WHERE workspace_id = $1`, [workspaceId])
      return rows.map((row) => {
        const stored = row as StoredSecret
        // The driver returns a bigint as text.
        return { ...stored, webhook_id: Number(stored.webhook_id) }
      })
    },
    async save(secret) {
      await create()
      const { workspace_id, form_id, webhook_id, url, removed_at } = secret
      await run(
        `INSERT INTO ${table} (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (form_id, webhook_id) DO UPDATE SET ` +
          'workspace_id = excluded.workspace_id, url = excluded.url, secret = excluded.secret, removed_at = excluded.removed_at',
        [workspace_id, form_id, webhook_id, url, secret.secret, removed_at],
      )
    },
    async remove({ form_id, webhook_id }) {
      await run(`DELETE FROM ${table} WHERE form_id = $1 AND webhook_id = $2`, [form_id, webhook_id])
    },
  }
}
