/** Checkpoints in PostgreSQL. A lease lets one of several pollers run, and a fence rejects the saves of a poller that lost its lease. */
import { type PostgresOptions, PostgresTable, postgresFailure } from '@formwire/internal/postgres'
import { CheckpointError } from '../errors/client-errors.ts'
import type { CheckpointStore } from '../polling/checkpoint.ts'
import { checkPostgres } from '../postgres-options.ts'
import { type LeaseOptions, type LeaseStore, leasedCheckpoint } from './leased-checkpoint.ts'

export type { PostgresPool } from '@formwire/internal/postgres'

/** Options of {@link postgresCheckpoint}. */
export interface PostgresCheckpointOptions extends PostgresOptions, LeaseOptions {}

/**
 * Returns a store that keeps each state in a row of the table `formwire_checkpoints`, which is created on first use. Each step is one
 * statement without a transaction or session state, so that a pooler may be in between.
 *
 * @example
 * const checkpoint = postgresCheckpoint({ connectionString: process.env.DATABASE_URL })
 * formwire.responses.poll(formId, { checkpoint })
 * @throws UsageError if an option is unknown or invalid. @throws CheckpointError if `leaseMs` is too short.
 */
export function postgresCheckpoint(options: PostgresCheckpointOptions = {}): CheckpointStore {
  checkPostgres('postgresCheckpoint()', options, ['leaseMs', 'owner'])
  const table = new PostgresTable(options, 'formwire_checkpoints', create)
  return leasedCheckpoint(postgresLeases(table), options)
}

// The token is that of the latest lease. While it is ours, no other poller has started, even if our lease expired.
const create = (table: string): string =>
  `CREATE TABLE IF NOT EXISTS ${table} (key text PRIMARY KEY, state text, token text, ` +
  "lease_until timestamptz NOT NULL DEFAULT '-infinity')"

const NOW = 'statement_timestamp()'
/** $2 token, $3 milliseconds. */
const UNTIL = `${NOW} + $3::float8 * interval '1 millisecond'`

function postgresLeases(table: PostgresTable): LeaseStore {
  const { name } = table
  const run = async (sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]> => {
    try {
      return await table.query(sql, values)
    } catch (cause) {
      const { isTemporary, message } = postgresFailure(cause, `the checkpoint in ${name}`)
      throw new CheckpointError(message, { reason: isTemporary ? 'unavailable' : undefined }, { cause })
    }
  }
  /** Whether the statement changed the row. */
  const change = async (sql: string, ...values: unknown[]): Promise<boolean> =>
    (await run(`${sql} RETURNING 1`, ...values)).length > 0
  return {
    async load(key) {
      const [row] = await run(`SELECT state FROM ${name} WHERE key = $1`, key)
      return typeof row?.state === 'string' ? row.state : undefined
    },
    save: (key, state) =>
      change(
        `INSERT INTO ${name} (key, state) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET state = excluded.state`,
        key,
        state,
      ),
    acquire: (key, token, leaseMs) =>
      change(
        `INSERT INTO ${name} AS c (key, token, lease_until) VALUES ($1, $2, ${UNTIL}) ON CONFLICT (key) DO UPDATE ` +
          `SET token = excluded.token, lease_until = excluded.lease_until WHERE c.lease_until <= ${NOW}`,
        key,
        token,
        leaseMs,
      ),
    // Not a lease that was released in the meantime.
    renew: (key, token, leaseMs) =>
      change(
        `UPDATE ${name} SET lease_until = ${UNTIL} WHERE key = $1 AND token = $2 AND lease_until > '-infinity'`,
        key,
        token,
        leaseMs,
      ),
    release: (key, token) =>
      change(`UPDATE ${name} SET lease_until = '-infinity' WHERE key = $1 AND token = $2`, key, token),
    saveFenced: (key, token, state) =>
      change(`UPDATE ${name} SET state = $3 WHERE key = $1 AND token = $2`, key, token, state),
    place: (key) => `${JSON.stringify(key)} in ${name}`,
  }
}
