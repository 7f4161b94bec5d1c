import type { PostgresOptions } from '@formwire/internal/postgres'
import { POSTGRES_OPTIONS } from '../postgres.ts'
import { checkOptions, type OptionNames } from '../verification/check-options.ts'
import { createDedupe, DEDUPE_OPTIONS, type Dedupe, type DedupeOptions } from './dedupe.ts'
import { createPostgresStore } from './postgres-store.ts'

export type { PostgresOptions, PostgresPool } from '@formwire/internal/postgres'
export { PostgresStoreError } from '../postgres.ts'
export type * from '../types.ts'
export type { Claim, Dedupe, DedupeOptions, DedupeStore, WonClaim } from './dedupe.ts'
export { createPostgresStore } from './postgres-store.ts'

/** Options of {@link createPostgresDedupe}. */
export interface PostgresDedupeOptions extends DedupeOptions, PostgresOptions {}

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
