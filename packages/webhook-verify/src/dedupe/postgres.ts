import { errorJson, recognizeCopies } from '@formwire/internal/error-class'
import { helpUrlOf } from '@formwire/internal/help-page'
import { NO_DRIVER, type PostgresOptions, PostgresTable, postgresFailure } from '@formwire/internal/postgres'
import { checkOption, checkOptions, type OptionNames } from '../verification/check-options.ts'
import { createDedupe, DEDUPE_OPTIONS, type Dedupe, type DedupeOptions, type DedupeStore } from './dedupe.ts'

export type { PostgresOptions, PostgresPool } from '@formwire/internal/postgres'
export type * from '../types.ts'
export type { Claim, Dedupe, DedupeOptions, DedupeStore, WonClaim } from './dedupe.ts'

/** The store cannot be used. The receiver responds with 503, so that the service sends the delivery again. */
export class PostgresStoreError extends Error {
  override readonly name = 'PostgresStoreError'
  /** `unavailable`: a later attempt may succeed. `no_driver`: the package pg is missing. `refused`: PostgreSQL is set up otherwise. */
  readonly code: 'unavailable' | 'no_driver' | 'refused'

  constructor(message: string, code: PostgresStoreError['code'], options: ErrorOptions) {
    super(message, options)
    this.code = code
  }

  /** URL of the page that explains the code. */
  get helpUrl(): string {
    return helpUrlOf(`database_${this.code}`)
  }

  /** For a log: the message too. */
  toJSON(): Record<string, unknown> {
    return errorJson(this)
  }
}
recognizeCopies(PostgresStoreError, 'PostgresStoreError')

/** Options of {@link createPostgresDedupe}. */
export interface PostgresDedupeOptions extends DedupeOptions, PostgresOptions {}

const POSTGRES_OPTIONS: OptionNames<PostgresOptions> = { connectionString: true, pool: true, schema: true }
const OPTIONS: OptionNames<PostgresDedupeOptions> = { ...DEDUPE_OPTIONS, ...POSTGRES_OPTIONS }

/**
 * Handles each delivery once across all processes that share a PostgreSQL database. A claim is renewed while its handler runs, so that
 * `claimMs` may be shorter than the longest handler.
 * @example
 * createReceiver({ secret, dedupe: createPostgresDedupe({ connectionString: process.env.DATABASE_URL }), on })
 */
export function createPostgresDedupe(options: PostgresDedupeOptions = {}): Dedupe {
  checkOptions(options, OPTIONS)
  const { connectionString, pool, schema, ...rest } = options
  return createDedupe(createPostgresStore({ connectionString, pool, schema }), rest)
}

/** Time between deletions of expired rows, and how many of them one deletes at most. */
const SWEEP_MS = 60_000
const SWEPT_ROWS = 10_000

const create = (table: string): string =>
  `CREATE TABLE IF NOT EXISTS ${table} (key text PRIMARY KEY, owner text, expires_at timestamptz NOT NULL); ` +
  `CREATE INDEX IF NOT EXISTS formwire_dedupe_expires_at ON ${table} (expires_at)`

// A row is a claim, or completed without an owner. PostgreSQL expires the rows, so the clocks of the processes do not matter. Each
// method is one statement that locks its rows, in the order of their keys, so that no two wait for each other.
const NOW = 'statement_timestamp()'
/** $1 keys, $2 owner, $3 milliseconds. */
const UNTIL = `${NOW} + $3::float8 * interval '1 millisecond'`

const claimOf = (table: string): string => `
WITH found AS MATERIALIZED (SELECT owner FROM ${table} WHERE key = ANY ($1::text[]) AND expires_at > ${NOW}),
won AS (
  INSERT INTO ${table} AS t (key, owner, expires_at)
  SELECT key, $2::text, ${UNTIL} FROM unnest($1::text[]) AS key WHERE NOT EXISTS (SELECT FROM found)
  ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at WHERE t.expires_at <= ${NOW}
  RETURNING 1)
SELECT (SELECT count(*)::int FROM won) AS won, EXISTS (SELECT FROM found WHERE owner IS NULL) AS completed`

const completionOf = (table: string): string => `
INSERT INTO ${table} AS t (key, owner, expires_at) SELECT key, NULL, ${UNTIL} FROM unnest($1::text[]) AS key
ON CONFLICT (key) DO UPDATE SET owner = NULL, expires_at = excluded.expires_at
WHERE t.owner IS NULL OR t.owner = $2::text OR t.expires_at <= ${NOW}
RETURNING 1`

const renewalOf = (table: string): string =>
  `UPDATE ${table} SET expires_at = ${UNTIL} WHERE key = ANY ($1::text[]) AND owner = $2::text RETURNING 1`

const releaseOf = (table: string): string =>
  `DELETE FROM ${table} WHERE key = ANY ($1::text[]) AND owner = $2::text AND expires_at > ${NOW} RETURNING 1`

/** Passes over rows that are in use. */
const sweepOf = (table: string): string =>
  `DELETE FROM ${table} WHERE key = ANY (ARRAY(` +
  `SELECT key FROM ${table} WHERE expires_at <= ${NOW} ORDER BY expires_at LIMIT ${SWEPT_ROWS} FOR UPDATE SKIP LOCKED))`

/**
 * Creates a store in PostgreSQL, shared by all processes with the same database and schema. It creates the table `formwire_dedupe` when
 * it first needs it, and deletes expired rows. Each method is one statement without session state, so that a pooler may be in between.
 * @throws WebhookVerificationError code "invalid_option".
 */
export function createPostgresStore(options: PostgresOptions = {}): DedupeStore {
  checkOptions(options, POSTGRES_OPTIONS)
  const { pool, schema } = options
  const isPool = pool === undefined || typeof pool?.query === 'function'
  checkOption(isPool, 'pool', 'a pool of the package pg', pool)
  const isName = schema === undefined || (typeof schema === 'string' && schema !== '')
  checkOption(isName, 'schema', 'the name of a schema', schema)
  const table = new PostgresTable(options, 'formwire_dedupe', create)
  const { name } = table
  let sweptAt = Number.NEGATIVE_INFINITY

  const run = (sql: string, keys: readonly string[], ...values: unknown[]) =>
    table.query(sql, [keys, ...values]).catch((cause: unknown) => {
      throw storeError(name, cause)
    })

  async function changesAll(sql: string, keys: readonly string[], ...values: unknown[]): Promise<boolean> {
    const all = distinct(keys)
    return (await run(sql, all, ...values)).length === all.length
  }

  function sweep(): void {
    const now = performance.now()
    if (now - sweptAt < SWEEP_MS) return
    sweptAt = now
    // If it fails, the next one deletes the rows.
    table.query(sweepOf(name), []).catch(() => undefined)
  }

  return {
    async claim(keys, owner, claimMs) {
      const all = distinct(keys)
      const [row] = await run(claimOf(name), all, owner, claimMs)
      const { won, completed } = row as { won: number; completed: boolean }
      sweep()
      if (won === all.length) return 'claimed'
      // Another process has claimed some of the keys at the same time.
      if (won > 0) await run(releaseOf(name), all, owner)
      return completed ? 'completed' : 'in_progress'
    },
    complete: (keys, owner, keepMs) => changesAll(completionOf(name), keys, owner, keepMs),
    release: (keys, owner) => changesAll(releaseOf(name), keys, owner),
    renew: (keys, owner, claimMs) => changesAll(renewalOf(name), keys, owner, claimMs),
  }
}

function distinct(keys: readonly string[]): string[] {
  return [...new Set(keys)].sort()
}

function storeError(table: string, cause: unknown): PostgresStoreError {
  const { isTemporary, code, message } = postgresFailure(cause, table)
  const kind = isTemporary ? 'unavailable' : code === NO_DRIVER ? 'no_driver' : 'refused'
  return new PostgresStoreError(message, kind, { cause })
}
