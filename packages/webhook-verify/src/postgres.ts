import { errorJson, recognizeCopies } from '@formwire/internal/error-class'
import { helpUrlOf } from '@formwire/internal/help-page'
import { NO_DRIVER, type PostgresOptions, PostgresTable, postgresFailure } from '@formwire/internal/postgres'
import { checkOptions, invalidOption, type OptionNames, shown } from './verification/check-options.ts'

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

/** The names of {@link PostgresOptions}. */
export const POSTGRES_OPTIONS: OptionNames<PostgresOptions> = {
  connectionString: true,
  pool: true,
  schema: true,
}

/**
 * Opens a table that is created when a statement first finds it missing. Its errors are {@link PostgresStoreError}.
 * @throws WebhookVerificationError code "invalid_option".
 */
export function openTable(
  options: PostgresOptions,
  table: string,
  create: (name: string) => string,
): Pick<PostgresTable, 'name' | 'query'> {
  checkOptions(options, POSTGRES_OPTIONS)
  const { pool, schema } = options
  if (pool !== undefined && typeof pool?.query !== 'function')
    throw invalidOption(`pool must be a pool of the package pg, got ${shown(pool)}.`)
  if (schema !== undefined && (typeof schema !== 'string' || !schema))
    throw invalidOption(`schema must be the name of a schema, got ${shown(schema)}.`)
  const opened = new PostgresTable(options, table, create)
  return {
    name: opened.name,
    query: (text, values) =>
      opened.query(text, values).catch((cause: unknown) => {
        throw storeError(opened.name, cause)
      }),
  }
}

function storeError(table: string, cause: unknown): PostgresStoreError {
  const { isTemporary, code, advice } = postgresFailure(cause)
  const message = advice ?? `PostgreSQL failed at ${table}${code ? ` (${code})` : ''}; see "cause".`
  const kind = isTemporary ? 'unavailable' : code === NO_DRIVER ? 'no_driver' : 'refused'
  return new PostgresStoreError(message, kind, { cause })
}
