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
  /** What happened, or what to do if PostgreSQL cannot be used before something is set up. */
  message: string
}

/** Time after which a connection or a statement counts as failed. */
const CONNECT_MS = 5000
const REPLY_MS = 10_000
/** Connections at most: each runs one short statement at a time. */
const MAX_CONNECTIONS = 4

/**
 * Codes without which nothing can be said about a statement: classes 08 (connection), 53 (resources) and 57 (shutdown, or a cancelled
 * statement), timeouts of sessions, and errors of the network.
 */
const UNREACHABLE = /^(?:08|53|57|25P0[34]|ECONN|EHOST|ENET|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|ENOENT|EACCES)/
/** Errors of the driver, which have no code. */
const UNREACHABLE_TEXT =
  /Connection terminated|timeout exceeded when trying to connect|Client (?:has encountered|was closed)/
/** Other failures that may pass: classes 40 (rollback) and 55 (state of an object), and a server that is read-only until it is promoted. */
const TEMPORARY = /^(?:40|55|25006)/
const NO_REPLY = 'Query read timeout'
/** Another process has created the table at the same time. */
const CREATED = new Set(['23505', '42P07', '42710'])
const MISSING_TABLE = '42P01'
/** Code of a failure: the package `pg` is not installed. */
export const NO_DRIVER = 'NO_DRIVER'
/** What to do without the driver, and with a URL that it cannot parse. */
export const DRIVER_ADVICE = 'PostgreSQL requires the package pg beside this one: npm install pg@8'
export const URL_ADVICE = 'The database URL is invalid; expected postgres://USER@HOST:PORT/DATABASE.'
const ADVICE: Record<string, string> = {
  [NO_DRIVER]: DRIVER_ADVICE,
  ERR_INVALID_URL: URL_ADVICE,
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

/** Whether the database cannot be reached, so that the same statement may succeed later. */
export function isUnreachable(error: unknown): boolean {
  const code = codeOf(error)
  // biome-ignore lint/plugin: the driver has no code for a connection that ended
  return code !== undefined ? UNREACHABLE.test(code) : UNREACHABLE_TEXT.test((error as Error).message)
}

/** Whether a statement got no reply in time. */
export function isWithoutReply(error: unknown): boolean {
  return (error as Error).message === NO_REPLY
}

/** Describes a failure of {@link PostgresTable.query}. @param place what failed @param rest of the message */
export function postgresFailure(error: unknown, place: string, rest = 'see "cause".'): PostgresFailure {
  const code = codeOf(error) ?? ''
  return {
    isTemporary: isUnreachable(error) || isWithoutReply(error) || TEMPORARY.test(code),
    code: code || undefined,
    message: ADVICE[code] ?? `PostgreSQL failed at ${place}${code && ` (${code})`}; ${rest}`,
  }
}

function codeOf(error: unknown): string | undefined {
  const { code } = Object(error) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}

/** Loads the package `pg`. @throws Error code {@link NO_DRIVER} */
export async function loadDriver(): Promise<typeof import('pg')> {
  try {
    const loaded = (await import('pg')) as typeof import('pg') & { default?: typeof import('pg') }
    return loaded.default ?? loaded
  } catch (cause) {
    throw Object.assign(new Error('The package pg is missing', { cause }), { code: NO_DRIVER })
  }
}

async function openPool({ pool, connectionString }: PostgresOptions): Promise<PostgresPool> {
  if (pool) return pool
  const pg = await loadDriver()
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
