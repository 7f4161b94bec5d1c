import type { PoolConfig } from 'pg'
import { quoteName } from '../database/dialect.ts'
import {
  checkOpen,
  LOCK_WAIT_MS,
  type Session,
  type SqlRow,
  type SqlValue,
  type SyncStore,
} from '../database/driver.ts'
import { StoreError, SyncUsageError } from '../errors.ts'
import { Once } from '../once.ts'
import { postgresDialect } from './dialect.ts'
import { LOCK_CLASS, lockKey } from './lock.ts'

/** The result of a query of `pg`. */
export interface PostgresResult {
  rows: Record<string, unknown>[]
  rowCount: number | null
  /** The first word of the statement that ran, such as `SELECT`. */
  command?: string
}

/** A statement of `pg`. With a name, it is prepared once a connection. */
export interface PostgresStatement {
  name?: string
  text: string
  values?: unknown[]
  query_timeout?: number
}

/** A connection of a pool of `pg`. */
export interface PostgresClient {
  query(sql: string | PostgresStatement, parameters?: unknown[]): Promise<PostgresResult>
  release(error?: Error | boolean): void
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
}

/** The part of a pool of `pg` that is used, so that its types are not needed. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>
  query(sql: string | PostgresStatement, parameters?: unknown[]): Promise<PostgresResult>
  end(): Promise<void>
}

/** What `onResponse` receives to work in the same transaction: the connection of `pg`, without its management. */
export interface PostgresTransaction {
  /** @example await transaction.query('INSERT INTO outbox (response_id) VALUES ($1)', [response.id]) */
  query(sql: string, parameters?: readonly unknown[]): Promise<PostgresResult>
}

/** Options of {@link postgresStore}. */
export interface PostgresStoreOptions {
  /** URL of the database. @default process.env.FORMWIRE_DATABASE_URL, else the variables of libpq (`PGHOST` …) */
  connectionString?: string | undefined
  /** A pool of your own, which the store does not close. Replaces `connectionString`. */
  pool?: PostgresPool | undefined
  /** Schema of the tables. @default the first one of the search path */
  schema?: string | undefined
}

/**
 * A PostgreSQL database, through the package `pg`, which you install. Any number of processes can write to it.
 *
 * @example const store = postgresStore({ connectionString: process.env.DATABASE_URL })
 */
export function postgresStore(options: PostgresStoreOptions = {}): SyncStore<PostgresTransaction> {
  for (const name of Object.keys(options)) {
    if (!['connectionString', 'pool', 'schema'].includes(name)) {
      throw new SyncUsageError(
        `postgresStore(): unknown name "${name}"; use connectionString, pool or schema.`,
      )
    }
  }
  return new PostgresStore(options)
}

/** Connections at most: one writes while others hold webhooks. */
const MAX_CONNECTIONS = 4

class PostgresStore implements SyncStore<PostgresTransaction> {
  readonly dialect = postgresDialect
  readonly #options: PostgresStoreOptions
  #pool: PostgresPool | undefined
  readonly #loading = new Once(async () => {
    this.#pool = this.#options.pool ?? (await this.#createPool())
  })
  readonly #opening = new Once(() => this.#open())
  #closed = false
  /** Whether statements are prepared once per connection. */
  #prepares = true

  constructor(options: PostgresStoreOptions) {
    this.#options = options
  }

  load(): Promise<void> {
    return this.#loading.run()
  }

  open(): Promise<void> {
    if (this.#closed) return Promise.reject(new StoreError('The store is closed.', 'closed'))
    return this.#opening.run()
  }

  async #open(): Promise<void> {
    await this.load()
    const client = await this.#connect()
    try {
      const { schema } = this.#options
      if (schema === undefined) return
      const name = quoteName(postgresDialect.text(schema))
      const { rows } = await client.query('SELECT to_regnamespace($1) IS NOT NULL AS exists', [name])
      if ((rows[0] as { exists?: unknown })?.exists === false)
        throw new StoreError(
          `The PostgreSQL database has no schema ${name}. Create it, or choose another.`,
          'refused',
        )
    } catch (error) {
      throw translated(error)
    } finally {
      client.release()
    }
  }

  async #createPool(): Promise<PostgresPool> {
    let pg: typeof import('pg')
    try {
      const loaded = (await import('pg')) as typeof import('pg') & { default?: typeof import('pg') }
      pg = loaded.default ?? loaded
    } catch (cause) {
      throw new StoreError('PostgreSQL requires the package pg: npm install pg@8', 'no_driver', { cause })
    }
    const { schema } = this.#options
    const connectionString = this.#options.connectionString ?? process.env.FORMWIRE_DATABASE_URL
    const config: PoolConfig = {
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: LOCK_WAIT_MS,
      // A program that does not close the store ends when its work has.
      allowExitOnIdle: true,
      application_name: 'formwire-sync',
      ...(connectionString ? { connectionString } : {}),
      ...(schema === undefined ? {} : { options: `-c search_path=${escapedOption(quoteName(schema))}` }),
    }
    let pool: import('pg').Pool
    try {
      pool = new pg.Pool(config)
    } catch {
      throw new SyncUsageError('The database URL is invalid; expected postgres://USER@HOST:PORT/DATABASE.')
    }
    // An idle connection that is lost is replaced by the next query.
    pool.on('error', () => undefined)
    return pool
  }

  async #connect(): Promise<PostgresClient> {
    try {
      return await (this.#pool as PostgresPool).connect()
    } catch (error) {
      throw this.#isDefault() ? withHint(translated(error)) : translated(error)
    }
  }

  /** Whether nothing names the server, so that the driver tries the port of PostgreSQL on this machine. */
  #isDefault(): boolean {
    const { pool, connectionString } = this.#options
    const { FORMWIRE_DATABASE_URL, PGHOST } = process.env
    return !(pool || connectionString || FORMWIRE_DATABASE_URL || PGHOST)
  }

  async transaction<Result>(
    lock: string,
    work: (session: Session, transaction: PostgresTransaction) => Promise<Result>,
  ): Promise<Result> {
    await this.open()
    try {
      return await this.#transaction(lock, work)
    } catch (error) {
      if (!this.#prepares || !isLostStatement(error)) throw error
      this.#prepares = false
      return await this.#transaction(lock, work)
    }
  }

  async #transaction<Result>(
    lock: string,
    work: (session: Session, transaction: PostgresTransaction) => Promise<Result>,
  ): Promise<Result> {
    const client = await this.#connect()
    let broken: Error | undefined
    let isOpen = true
    /** The statements of `onResponse` run one after the other, and are waited for if it did not. */
    let last: Promise<unknown> = Promise.resolve()
    let failure: unknown
    const onError = (error: Error): void => {
      broken = error
    }
    client.on('error', onError)
    const query = async (statement: PostgresStatement): Promise<PostgresResult> => {
      try {
        checkOpen(isOpen)
        await last
        return await client.query(statement)
      } catch (error) {
        throw translated(error, failure)
      }
    }
    const session: Session = {
      query: async (sql, parameters = []) =>
        (await query({ text: numbered(sql, parameters.length), values: [...parameters] })).rows as SqlRow[],
      run: async (sql, parameters, name) => {
        const statement = { text: numbered(sql, parameters.length), values: [...parameters] }
        return (await query(name && this.#prepares ? { name, ...statement } : statement)).rowCount ?? 0
      },
    }
    try {
      await begin(client, lock, this.#options.schema)
      const result = await work(session, {
        query(sql, parameters) {
          checkOpen(isOpen)
          const result = last.then(() => client.query(sql, [...(parameters ?? [])]))
          last = result.catch((error: unknown) => {
            failure = error
          })
          return result
        },
      })
      // After a failed statement, PostgreSQL commits nothing and reports no error.
      if ((await query({ text: 'COMMIT' })).command === 'ROLLBACK') throw rolledBack(failure)
      return result
    } catch (error) {
      await last
      await client.query('ROLLBACK').catch((failure: Error) => {
        broken ??= failure
      })
      throw translated(error, failure)
    } finally {
      isOpen = false
      client.off('error', onError)
      client.release(broken)
    }
  }

  async read(sql: string, parameters: readonly SqlValue[] = []): Promise<SqlRow[]> {
    // A pool of yours may have another search path, which only a transaction can change without a trace.
    if (this.#options.pool && this.#options.schema !== undefined)
      return await this.transaction('read', (session) => session.query(sql, parameters))
    await this.open()
    try {
      const pool = this.#pool as PostgresPool
      return (await pool.query(numbered(sql, parameters.length), [...parameters])).rows as SqlRow[]
    } catch (error) {
      throw translated(error)
    }
  }

  async runAlone(name: string, sql: string, parameters: readonly SqlValue[]): Promise<number | undefined> {
    if (this.#options.pool && this.#options.schema !== undefined) return undefined
    await this.open()
    const query = {
      text: numbered(sql, parameters.length),
      values: [...parameters],
      query_timeout: LOCK_WAIT_MS,
    }
    const pool = this.#pool as PostgresPool
    try {
      // The pool drops the connection after an error, so that nothing waits behind a statement that still runs.
      return (await pool.query(this.#prepares ? { name, ...query } : query)).rowCount ?? 0
    } catch (error) {
      if (!this.#prepares || !isLostStatement(error)) throw translated(error)
      this.#prepares = false
      return await this.runAlone(name, sql, parameters)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    if (!this.#options.pool) await this.#pool?.end()
    this.#pool = undefined
  }
}

/** A backslash keeps white space and backslashes inside one option. */
function escapedOption(text: string): string {
  return text.replaceAll(/[\\\s]/g, '\\$&')
}

/** One round trip. Without parameters, since several statements are sent; none contains text from outside. */
async function begin(client: PostgresClient, lock: string, schema: string | undefined): Promise<void> {
  await client.query(
    `BEGIN; ${postgresDialect.waitForLocks(LOCK_WAIT_MS)}; ` +
      (schema === undefined ? '' : `SET LOCAL search_path = ${quoteName(postgresDialect.text(schema))}; `) +
      `SELECT pg_advisory_xact_lock(${LOCK_CLASS}, ${lockKey(lock)})`,
  )
}

/** Numbers the placeholders. Statements with parameters contain no `?` of their own. */
function numbered(sql: string, count: number): string {
  if (count === 0) return sql
  let number = 0
  return sql.replaceAll('?', () => {
    number += 1
    return `$${number}`
  })
}

/** Whether a pooler between us and the server does not keep prepared statements. Nothing was written. */
function isLostStatement(error: unknown): boolean {
  return ['26000', '42P05'].includes(String((error as { code?: unknown }).code))
}

function rolledBack(cause: unknown): SyncUsageError {
  const reason = cause instanceof Error ? ` (${cause.message})` : ''
  return new SyncUsageError(
    `onResponse caught the error of a statement, or did not await it${reason}, after which PostgreSQL commits nothing. Await it and let it throw, or run the statement after a SAVEPOINT.`,
    { cause },
  )
}

function withHint(error: unknown): unknown {
  if (!(error instanceof StoreError) || error.code !== 'unavailable') return error
  const message = `${error.message} Set FORMWIRE_DATABASE_URL or PGHOST to use another server.`
  return new StoreError(message, error.code, { cause: error.cause })
}

const UNREACHABLE = /^(?:ECONN|EHOST|ENET|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|ENOENT|EACCES)/

/** Errors of the server never show its password; those of the driver name the host at most. */
function translated(error: unknown, earlier?: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error
  const code = String((error as { code?: unknown }).code ?? '')
  if (code === '55P03' || code === '40P01' || code === '40001' || error.message === 'Query read timeout') {
    return new StoreError(
      `The database was locked by another program for ${LOCK_WAIT_MS / 1000} s. End it or try again later.`,
      'locked',
      { cause: error },
    )
  }
  // A statement after one that failed.
  if (code === '25P02') return rolledBack(earlier)
  // Classes 28 (authentication), 3D and 3F (no such database or schema), a read-only database, and a role without the right to do this.
  if (/^(?:28|3D|3F|25006|42501)/.test(code)) {
    return new StoreError(`Cannot use the PostgreSQL database: ${error.message || code}.`, 'refused', {
      cause: error,
    })
  }
  // The driver's own error has no code and names a step of the protocol.
  if (/client password must be/.test(error.message)) {
    return new StoreError(
      'The PostgreSQL database requires a password: set it in FORMWIRE_DATABASE_URL or PGPASSWORD, or use a .pgpass file.',
      'refused',
      { cause: error },
    )
  }
  // Classes 08 (connection), 53 (resources) and 57 (shutdown, or a timeout of the server for statements), and its timeouts of sessions.
  if (
    /^(?:08|53|57|25P0[34])/.test(code) ||
    UNREACHABLE.test(code) ||
    /Connection terminated|timeout exceeded when trying to connect|Client (?:has encountered|was closed)/.test(
      error.message,
    )
  ) {
    return new StoreError(`Cannot use the PostgreSQL database: ${error.message || code}.`, 'unavailable', {
      cause: error,
    })
  }
  return error
}
