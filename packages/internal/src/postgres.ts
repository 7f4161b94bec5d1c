/** A statement of the package `pg`, without a name, since a pooler may run each one on another connection. */
interface Statement {
  text: string
  values?: unknown[]
  query_timeout?: number
}

/** The part of a pool of the package `pg` that the stores use, so that its types are not needed. */
export interface PostgresPool {
  query(statement: Statement): Promise<{ rows: Record<string, unknown>[] }>
}

/** Where a table of a store is. */
export interface PostgresOptions {
  /** URL of the database. @default process.env.FORMWIRE_DATABASE_URL, else the variables of libpq (`PGHOST` …) */
  connectionString?: string | undefined
  /** A pool of your own, which the store does not close. Replaces `connectionString`. */
  pool?: PostgresPool | undefined
  /** Schema of the table, which must exist. @default the first one of the search path */
  schema?: string | undefined
}

/** What a failure of PostgreSQL means. */
export interface PostgresFailure {
  /** Whether the same statement may succeed later. */
  isTemporary: boolean
  /** Code of PostgreSQL or of the system, such as `57P01` or `ECONNREFUSED`. */
  code: string | undefined
  /** What to do, if PostgreSQL cannot be used before something is set up. */
  advice: string | undefined
}

/** Time after which a connection or a statement counts as failed. */
const CONNECT_MS = 5000
const REPLY_MS = 10_000
/** Connections at most: each runs one short statement at a time. */
const MAX_CONNECTIONS = 4

/**
 * Codes of failures that may pass. Classes 08 (connection), 40 (rollback), 53 (resources), 55 (state of an object) and 57 (shutdown, or a
 * cancelled statement), timeouts of sessions, a server that is read-only until it is promoted, and errors of the network.
 */
const TEMPORARY =
  /^(?:08|40|53|55|57|25P0[34]|25006|ECONN|EHOST|ENET|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|ENOENT|EACCES)/
/** Errors of the driver, which have no code. */
const TEMPORARY_TEXT =
  /Connection terminated|timeout exceeded when trying to connect|Client (?:has encountered|was closed)|Query read timeout/
/** Another process has created the table at the same time. */
const CREATED = new Set(['23505', '42P07', '42710'])
const MISSING_TABLE = '42P01'
const NO_DRIVER = 'NO_DRIVER'
const ADVICE: Record<string, string> = {
  [NO_DRIVER]: 'PostgreSQL requires the package pg: npm install pg@8',
  ERR_INVALID_URL: 'The database URL is invalid; expected postgres://USER@HOST:PORT/DATABASE.',
}

/** A table in PostgreSQL that is created when a statement first finds it missing. */
export class PostgresTable {
  readonly #options: PostgresOptions
  readonly #create: string
  /** Name for statements, with the schema if there is one. */
  readonly name: string
  #pool: Promise<PostgresPool> | undefined

  /** @param create returns the statements that create the table of this name if it is missing. */
  constructor(options: PostgresOptions, table: string, create: (name: string) => string) {
    const { schema } = options
    this.#options = options
    this.name = schema === undefined ? table : `"${schema.replaceAll('"', '""')}".${table}`
    this.#create = create(this.name)
  }

  /** Runs one statement, in a transaction of its own, and returns its rows. */
  async query(text: string, values: unknown[]): Promise<Record<string, unknown>[]> {
    this.#pool ??= openPool(this.#options)
    const pool = await this.#pool
    const statement = { text, values, query_timeout: REPLY_MS }
    try {
      return (await pool.query(statement)).rows
    } catch (error) {
      if (codeOf(error) !== MISSING_TABLE) throw error
    }
    try {
      await pool.query({ text: this.#create, query_timeout: REPLY_MS })
    } catch (error) {
      if (!CREATED.has(codeOf(error) ?? '')) throw error
    }
    return (await pool.query(statement)).rows
  }
}

/** Describes a failure of {@link PostgresTable.query}. */
export function postgresFailure(error: unknown): PostgresFailure {
  const code = codeOf(error)
  const { message } = error as Error
  return {
    isTemporary: code === undefined ? TEMPORARY_TEXT.test(message) : TEMPORARY.test(code),
    code,
    advice: code === undefined ? undefined : ADVICE[code],
  }
}

function codeOf(error: unknown): string | undefined {
  const { code } = Object(error) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}

async function openPool({ pool, connectionString }: PostgresOptions): Promise<PostgresPool> {
  if (pool) return pool
  let pg: typeof import('pg')
  try {
    const loaded = (await import('pg')) as typeof import('pg') & { default?: typeof import('pg') }
    pg = loaded.default ?? loaded
  } catch (cause) {
    throw Object.assign(new Error('The package pg is missing', { cause }), { code: NO_DRIVER })
  }
  const url = connectionString ?? process.env.FORMWIRE_DATABASE_URL
  const opened = new pg.Pool({
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    // An idle pool does not keep the process alive.
    allowExitOnIdle: true,
    application_name: 'formwire',
    ...(url ? { connectionString: url } : {}),
  })
  // An idle connection that is lost is replaced by the next statement.
  opened.on('error', () => undefined)
  return opened
}
