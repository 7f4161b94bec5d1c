import type { PostgresOptions } from '@formwire/internal/postgres'
import { checkMethods, checkNames } from './check-arguments.ts'
import { UsageError } from './errors/client-errors.ts'

/** Checks the options of a store in PostgreSQL. @throws UsageError */
export function checkPostgres(what: string, options: PostgresOptions, others: readonly string[]): void {
  checkNames(what, options, ['connectionString', 'pool', 'schema', ...others])
  const { pool, schema } = options
  if (pool !== undefined) checkMethods('pool', pool, ['query'], 'a pool of the package pg')
  if (schema !== undefined && (typeof schema !== 'string' || !schema)) {
    throw new UsageError(`"schema" must be the name of a schema, got ${JSON.stringify(schema)}.`)
  }
}
