import { DRIVER_ADVICE, loadDriver } from '@formwire/internal/postgres'
import type { PoolConfig } from 'pg'
import { ANYTHING, BOOLEAN, COUNT, DURATION, readOptions, type Shape } from '../check-options.ts'
import { cleanText, quoteName } from '../database/dialect.ts'
import {
  checkOpen,
  closedWhileLocked,
  createShared,
  FORM_LOCK_WAIT_MS,
  isIdleEnd,
  LOCK_WAIT_MS,
  type Session,
  type SqlRow,
  type SqlValue,
  type SyncStore,
} from '../database/driver.ts'
import { StoreError, SyncUsageError } from '../errors.ts'
import { Once } from '../once.ts'
import { dialectOf, LOCK_CLASS, lockKey, type PostgresDialect } from './dialect.ts'
import {
  connectionFailure,
  endedWhileIdle,
  isCancelled,
  isLostStatement,
  isReadOnly,
  rolledBack,
  translated,
  withHint,
} from './errors.ts'

export type * from '../database/dialect.ts'
export type * from '../database/driver.ts'

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
  /** Connections at most, without a pool of your own. One writes while others hold webhooks. @default 4 */
  poolSize?: number | undefined
  /**
   * Uses named prepared statements, which save work for each webhook. Set it to `false` behind a pooler that does not keep them, such as
   * pgbouncer in transaction mode. Without that, the store stops using them at the first one that is lost. @default true
   */
  prepare?: boolean | undefined
  /**
   * Milliseconds without a statement after which PostgreSQL ends a transaction: the process was paused, or `onResponse` waits for something.
   * Its locks hold up other processes. @default 60_000
   */
  transactionIdleMs?: number | undefined
}

/**
 * A PostgreSQL database, through the package `pg`, which you install. Any number of processes can write to it.
 *
 * @example const store = postgresStore({ connectionString: process.env.DATABASE_URL })
 */
export function postgresStore(options: PostgresStoreOptions = {}): SyncStore<PostgresTransaction> {
  readOptions('postgresStore()', options, { shape: SHAPE })
  if (options.pool && options.poolSize !== undefined)
    throw new SyncUsageError('"poolSize" cannot be used with "pool": set the size of your pool.')
  return new PostgresStore(options)
}

const SHAPE: Shape<PostgresStoreOptions> = {
  connectionString: ANYTHING,
  pool: ANYTHING,
  schema: ANYTHING,
  poolSize: COUNT,
  prepare: BOOLEAN,
  transactionIdleMs: DURATION,
}

const IDLE_MS = 60_000

class PostgresStore implements SyncStore<PostgresTransaction> {
  readonly dialect: PostgresDialect
  readonly shared = createShared()
  readonly #options: PostgresStoreOptions
  #pool: PostgresPool | undefined
  readonly #loading = new Once(async () => {
    this.#pool = this.#options.pool ?? (await this.#createPool())
  })
  readonly #opening = new Once(() => this.#open())
  #closed = false
  /** The connections of the pool, unless it is yours. */
  readonly #connections = new Set<{ processID?: number }>()
  /** Runs a statement on a connection of its own, whatever the connections of the pool wait for. */
  #aside: ((statement: PostgresStatement) => Promise<void>) | undefined
  /** Whether statements are prepared once per connection. */
  #prepares: boolean

  constructor(options: PostgresStoreOptions) {
    this.#options = options
    this.dialect = dialectOf(options.schema)
    this.#prepares = options.prepare ?? true
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
      const name = schema === undefined ? null : quoteName(cleanText(schema))
      const { rows } = await client.query(
        `SELECT current_setting('server_encoding') AS encoding, to_regnamespace($1) IS NOT NULL AS exists`,
        [name],
      )
      const { encoding, exists } = rows[0] ?? {}
      if (encoding !== undefined && encoding !== 'UTF8')
        throw new StoreError(
          `The PostgreSQL database has the encoding ${String(encoding)}, which cannot hold every answer; it was left as it was. Use a database with UTF8: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`,
          'refused',
        )
      if (name !== null && exists === false)
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
    const pg = await loadDriver().catch((cause: unknown) => {
      throw new StoreError(DRIVER_ADVICE, 'no_driver', { cause })
    })
    const connectionString = this.#options.connectionString ?? process.env.FORMWIRE_DATABASE_URL
    const config: PoolConfig = {
      max: this.#options.poolSize ?? 4,
      connectionTimeoutMillis: LOCK_WAIT_MS,
      // A program that does not close the store ends when its work has.
      allowExitOnIdle: true,
      application_name: 'formwire-sync',
      ...(connectionString ? { connectionString } : {}),
    }
    const pool = new pg.Pool(config)
    // An idle connection that is lost is replaced by the next query.
    pool.on('error', () => undefined)
    pool.on('connect', (client) => this.#connections.add(client as { processID?: number }))
    pool.on('remove', (client) => this.#connections.delete(client as { processID?: number }))
    this.#aside = async (statement) => {
      const client = new pg.Client(config)
      try {
        await client.connect()
        await client.query(statement)
      } finally {
        await client.end()
      }
    }
    return pool
  }

  async #connect(): Promise<PostgresClient> {
    try {
      return await (this.#pool as PostgresPool).connect()
    } catch (error) {
      const { pool, connectionString } = this.#options
      throw withHint(connectionFailure(error), Boolean(pool || connectionString))
    }
  }

  async transaction<Result>(
    lock: string,
    work: (session: Session, transaction: PostgresTransaction) => Promise<Result>,
    { waitMs = FORM_LOCK_WAIT_MS }: { waitMs?: number } = {},
  ): Promise<Result> {
    await this.open()
    const prepares = this.#prepares
    try {
      return await this.#transaction(lock, work, { prepares, waitMs })
    } catch (error) {
      if (this.#closed && isCancelled(error)) throw closedWhileLocked(error)
      // Others that began before the first loss lose theirs too.
      if (!prepares || !isLostStatement(error)) throw error
      this.#prepares = false
      return await this.#transaction(lock, work, { prepares: false, waitMs })
    }
  }

  /** @param lock none for what only reads */
  async #transaction<Result>(
    lock: string | undefined,
    work: (session: Session, transaction: PostgresTransaction) => Promise<Result>,
    { prepares, waitMs }: { prepares: boolean; waitMs: number },
  ): Promise<Result> {
    const client = await this.#connect()
    let broken: Error | undefined
    let isOpen = true
    /** The statements of `onResponse` run one after the other, and are waited for if it did not. */
    let last: Promise<unknown> = Promise.resolve()
    let failure: unknown
    const onError = (error: Error): void => {
      // The first one has the reason.
      broken ??= error
    }
    client.on('error', onError)
    const query = async (statement: PostgresStatement): Promise<PostgresResult> => {
      try {
        checkOpen(isOpen)
        await last
        return await client.query(statement)
      } catch (error) {
        throw translated(error, { earlier: failure, waitMs })
      }
    }
    const session: Session = {
      query: async (sql, parameters = []) => (await query(statementOf(sql, parameters))).rows as SqlRow[],
      run: async (sql, parameters, name) => {
        const statement = statementOf(sql, parameters)
        const named = name && prepares ? { name: this.#named(name), ...statement } : statement
        return (await query(named)).rowCount ?? 0
      },
    }
    try {
      const { schema, transactionIdleMs: idleMs = IDLE_MS } = this.#options
      await begin(client, { lock, waitMs, idleMs, schema })
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
      const result = translated(error, { earlier: failure, waitMs })
      const { cause = result } = Object(result) as { cause?: unknown }
      const ended = [cause, broken].find(isIdleEnd)
      if (ended) throw endedWhileIdle(ended, this.#options.transactionIdleMs ?? IDLE_MS)
      // The next connection may reach the server that writes.
      if (isReadOnly(cause)) broken ??= cause as Error
      throw result
    } finally {
      isOpen = false
      client.off('error', onError)
      client.release(broken)
    }
  }

  async read(
    sql: string,
    parameters: readonly SqlValue[] = [],
    { isQualified = false }: { isQualified?: boolean } = {},
  ): Promise<SqlRow[]> {
    // Only a transaction can change the search path without a trace, in a connection that a pooler may share.
    await this.open()
    if (this.#options.schema !== undefined && !isQualified) {
      const options = { prepares: this.#prepares, waitMs: FORM_LOCK_WAIT_MS }
      return await this.#transaction(undefined, (session) => session.query(sql, parameters), options)
    }
    try {
      return (await (this.#pool as PostgresPool).query(statementOf(sql, parameters))).rows as SqlRow[]
    } catch (error) {
      throw translated(error)
    }
  }

  async runAlone(name: string, sql: string, parameters: readonly SqlValue[]): Promise<number> {
    await this.open()
    const query = { ...statementOf(sql, parameters), query_timeout: FORM_LOCK_WAIT_MS }
    const pool = this.#pool as PostgresPool
    const prepares = this.#prepares
    try {
      // The pool drops the connection after an error, so that nothing waits behind a statement that still runs.
      return (await pool.query(prepares ? { name: this.#named(name), ...query } : query)).rowCount ?? 0
    } catch (error) {
      if (!prepares || !isLostStatement(error)) throw translated(error)
      this.#prepares = false
      return await this.runAlone(name, sql, parameters)
    }
  }

  /** Stores with other schemas may share the pool, whose connections know one statement by a name. */
  #named(name: string): string {
    const { schema } = this.#options
    return schema === undefined ? name : `${name}_${lockKey(schema)}`
  }

  async close(): Promise<void> {
    this.#closed = true
    const pool = this.#options.pool ? undefined : this.#pool
    this.#pool = undefined
    // If the server cannot be reached, nothing waits for its locks.
    if (pool) await this.#endWaits().catch(() => undefined)
    await pool?.end()
  }

  /** Cancels the statements that wait for a lock of another program. */
  async #endWaits(): Promise<void> {
    const ids = [...this.#connections].flatMap(({ processID }) => processID ?? [])
    if (ids.length === 0) return
    const text =
      'SELECT pg_cancel_backend(id) FROM unnest($1::int[]) AS id WHERE NOT pg_blocking_pids(id) <@ $1::int[]'
    await this.#aside?.({ text, values: [ids] })
  }
}

/**
 * One round trip. Statements of this package name the schema; the search path is for those of `onResponse`. Without parameters, since
 * several statements are sent; none contains text from outside. Numbers are compared with those of the service, whatever the server rounds.
 */
async function begin(
  client: PostgresClient,
  of: { lock: string | undefined; waitMs: number; idleMs: number; schema: string | undefined },
): Promise<void> {
  const { lock, waitMs, idleMs, schema } = of
  await client.query(
    `BEGIN; SET LOCAL lock_timeout = '${waitMs}ms'; SET LOCAL idle_in_transaction_session_timeout = '${Math.ceil(idleMs)}ms'; ` +
      'SET LOCAL extra_float_digits = 3; ' +
      (schema === undefined ? '' : `SET LOCAL search_path = ${quoteName(cleanText(schema))}; `) +
      (lock === undefined ? '' : `SELECT pg_advisory_xact_lock(${LOCK_CLASS}, ${lockKey(lock)})`),
  )
}

/** Numbers the placeholders. Statements with parameters contain no `?` of their own. */
function statementOf(
  sql: string,
  parameters: readonly SqlValue[],
): PostgresStatement & { values: SqlValue[] } {
  const [first = '', ...rest] = parameters.length === 0 ? [sql] : sql.split('?')
  return { text: first + rest.map((part, index) => `$${index + 1}${part}`).join(''), values: [...parameters] }
}
