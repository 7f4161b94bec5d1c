import { access, open as openFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isObjectOrArray } from '@formwire/internal/json'
import { ANYTHING, readOptions } from '../check-options.ts'
import {
  checkOpen,
  closedWhileLocked,
  createShared,
  failedBy,
  LOCK_WAIT_MS,
  type Session,
  type SqlRow,
  type SqlValue,
  type SyncStore,
} from '../database/driver.ts'
import { StoreError, SyncUsageError } from '../errors.ts'
import { Once } from '../once.ts'
import { sqliteDialect } from './dialect.ts'
import { loadDriver, type SqliteConnection, type SqliteStatement } from './drivers.ts'

export type * from '../database/dialect.ts'
export type * from '../database/driver.ts'

/** What `onResponse` receives to work in the same transaction. Statements run immediately, in order. */
export interface SqliteTransaction {
  /** Runs a statement. @example transaction.run('INSERT INTO outbox (response_id) VALUES (?)', response.id) */
  run(sql: string, ...parameters: SqlValue[]): void
  /** Returns the rows of a query. */
  all(sql: string, ...parameters: SqlValue[]): SqlRow[]
}

/** Options of {@link sqliteStore}. */
export interface SqliteStoreOptions {
  /** Path of the database file, created if it does not exist. */
  path: string
}

/**
 * A SQLite file. Needs no server; other programs can read and write it meanwhile. A file that is not a database, or that is
 * damaged, is refused and left as it was.
 *
 * @example const store = sqliteStore('responses.db')
 */
export function sqliteStore(options: string | SqliteStoreOptions): SyncStore<SqliteTransaction> {
  if (isObjectOrArray(options)) readOptions('sqliteStore()', options, { shape: { path: ANYTHING } })
  const path = typeof options === 'string' ? options : options?.path
  if (typeof path !== 'string' || path === '') {
    throw new SyncUsageError('sqliteStore() requires the path of a database file, such as "responses.db".')
  }
  return new SqliteStore(path)
}

/** Prepared statements kept. */
const MAX_STATEMENTS = 64
/** Milliseconds between attempts to get a lock. */
const RETRY_MS = 20

class SqliteStore implements SyncStore<SqliteTransaction> {
  readonly dialect = sqliteDialect
  readonly shared = createShared()
  readonly #path: string
  #connection: SqliteConnection | undefined
  readonly #opening = new Once(() => this.#open())
  #closed = false
  readonly #statements = new Map<string, SqliteStatement>()
  /** End of the last transaction: there is one connection, so they run one after the other. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(path: string) {
    this.#path = path
  }

  async load(): Promise<void> {
    await loadDriver()
  }

  open(): Promise<void> {
    if (this.#closed) return Promise.reject(new StoreError('The store is closed.', 'closed'))
    return this.#opening.run()
  }

  async #open(): Promise<void> {
    const isNew = await checkFile(this.#path)
    try {
      this.#connection = (await loadDriver())(this.#path)
      this.#exec('PRAGMA busy_timeout = 0')
      const value = async (sql: string): Promise<unknown> =>
        first(await this.#patiently(() => this.#all(sql)))
      // Before anything is written: a damaged file is left as it was.
      if (!isNew && (await value('PRAGMA quick_check(1)')) !== 'ok') throw damaged(this.#path)
      const encoding = await value('PRAGMA encoding')
      if (encoding !== 'UTF-8')
        throw new StoreError(
          `${this.#path} has the encoding ${String(encoding)}; it was left as it was. Choose another path: views need UTF-8.`,
          'refused',
        )
      // Readers and the writer do not block each other. The mode of a file that was here before is left to its owner.
      const mode = await value(isNew ? 'PRAGMA journal_mode = WAL' : 'PRAGMA journal_mode')
      // In other modes, a power cut could damage the file.
      if (mode === 'wal') this.#exec('PRAGMA synchronous = NORMAL')
    } catch (error) {
      this.#statements.clear()
      try {
        this.#connection?.close()
      } catch {
        // The first error says more.
      }
      this.#connection = undefined
      throw this.#translated(error)
    }
  }

  transaction<Result>(
    _lock: string,
    work: (session: Session, transaction: SqliteTransaction) => Promise<Result>,
  ): Promise<Result> {
    return this.#afterOthers(() => this.#transaction(work))
  }

  read(sql: string, parameters: readonly SqlValue[] = []): Promise<SqlRow[]> {
    return this.#afterOthers(() => this.#patiently(() => this.#all(sql, parameters)))
  }

  runAlone(_name: string, sql: string, parameters: readonly SqlValue[]): Promise<number> {
    return this.#afterOthers(() => this.#patiently(() => this.#run(sql, parameters)))
  }

  /** Works on the open connection once all that was asked for before has ended. */
  #afterOthers<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(async () => {
      await this.open()
      if (!this.#connection) throw new StoreError('The store is closed.', 'closed')
      return await work()
    })
    this.#last = result.catch(() => undefined)
    return result
  }

  async #transaction<Result>(
    work: (session: Session, transaction: SqliteTransaction) => Promise<Result>,
  ): Promise<Result> {
    await this.#patiently(() => this.#exec('BEGIN IMMEDIATE'))
    let isOpen = true
    const during = <Value>(step: () => Value): Value => {
      checkOpen(isOpen)
      return step()
    }
    const session: Session = {
      query: async (sql, parameters) => during(() => this.#all(sql, parameters)),
      run: async (sql, parameters) => during(() => this.#run(sql, parameters)),
    }
    const transaction: SqliteTransaction = {
      run: (sql, ...parameters) => void during(() => this.#all(sql, parameters)),
      all: (sql, ...parameters) => during(() => this.#all(sql, parameters)),
    }
    try {
      const result = await work(session, transaction)
      await this.#patiently(() => this.#exec('COMMIT'))
      return result
    } catch (error) {
      try {
        this.#exec('ROLLBACK')
      } catch {
        // SQLite has rolled back by itself, or the connection is gone.
      }
      throw error
    } finally {
      isOpen = false
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#last
    await this.#opening.settled()
    this.#statements.clear()
    const connection = this.#connection
    this.#connection = undefined
    if (!connection) return
    try {
      // Moves everything into the file itself, so that it can be copied alone. Has no effect outside WAL mode.
      connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all()
    } catch {
      // Another program reads: it stays in the file beside, where SQLite finds it.
    }
    connection.close()
  }

  #exec(sql: string): void {
    this.#translating((connection) => connection.exec(sql))
  }

  /** Runs a statement, and returns its rows. */
  #all(sql: string, parameters: readonly SqlValue[] = []): SqlRow[] {
    // libsql refuses all() for a statement without rows.
    if (/^\s*(?:SELECT|WITH|PRAGMA|EXPLAIN)\b|\bRETURNING\b/i.test(sql))
      return this.#translating(
        (connection) => this.#statement(connection, sql).all(...parameters) as SqlRow[],
      )
    this.#run(sql, parameters)
    return []
  }

  /** Runs a statement, and returns how many rows it changed. */
  #run(sql: string, parameters: readonly SqlValue[]): number {
    return this.#translating((connection) =>
      Number(this.#statement(connection, sql).run(...parameters).changes),
    )
  }

  #translating<Result>(step: (connection: SqliteConnection) => Result): Result {
    try {
      return step(this.#connection as SqliteConnection)
    } catch (error) {
      throw this.#translated(error)
    }
  }

  /** Returns a prepared statement, which is kept. */
  #statement(connection: SqliteConnection, sql: string): SqliteStatement {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = connection.prepare(sql)
      // A statement that creates something is used once.
      if (/^\s*(?:CREATE|DROP)\b/i.test(sql)) return statement
      if (this.#statements.size >= MAX_STATEMENTS)
        this.#statements.delete(this.#statements.keys().next().value as string)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  /** Repeats a step while another program holds the lock and the store is not closed, without blocking this process meanwhile. */
  async #patiently<Result>(step: () => Result): Promise<Result> {
    const until = performance.now() + LOCK_WAIT_MS
    for (;;) {
      try {
        return step()
      } catch (error) {
        const known = this.#translated(error)
        const isLocked = known instanceof StoreError && known.code === 'locked'
        if (isLocked && this.#closed) throw closedWhileLocked(error)
        if (!isLocked || performance.now() >= until) throw known
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  #translated(error: unknown): unknown {
    if (!(error instanceof Error) || error instanceof StoreError) return error
    const { code, errcode } = error as { code?: unknown; errcode?: unknown }
    const primary = typeof errcode === 'number' ? errcode & 0xff : 0
    const text = `${String(code)} ${error.message}`
    const [, , as] = MEANINGS.find(([codes, pattern]) => codes.includes(primary) || pattern.test(text)) ?? []
    return as?.(this.#path, error) ?? error
  }
}

/** What errors of SQLite mean, by their primary codes or, for drivers that leave these out, their texts. */
const MEANINGS: [codes: number[], text: RegExp, as: (path: string, error: Error) => StoreError][] = [
  [[5, 6], /SQLITE_(BUSY|LOCKED)|database (table )?is locked/, locked],
  [[11], /SQLITE_CORRUPT|malformed/, damaged],
  [[26], /SQLITE_NOTADB|not a database/, notADatabase],
  [
    [8],
    /SQLITE_READONLY|readonly database/,
    (path, error) => failedBy(error, 'refused', `Cannot write ${path}: ${error.message}.`),
  ],
  [
    [10, 13, 14],
    /SQLITE_(CANTOPEN|IOERR|FULL)|unable to open|disk I\/O|disk is full/i,
    (path, error) => failedBy(error, 'unavailable', `Cannot open or write ${path}: ${error.message}.`),
  ],
]

function locked(path: string, cause: Error): StoreError {
  const message = `${path} was locked by another program for ${LOCK_WAIT_MS / 1000} s. End it or try again later.`
  return failedBy(cause, 'locked', message)
}

/** Returns the only value of a row. */
function first(rows: readonly SqlRow[]): unknown {
  return Object.values(rows[0] ?? {})[0]
}

/** Checks the beginning of a file without touching it. Returns whether it does not exist or is empty. */
async function checkFile(path: string): Promise<boolean> {
  let file: Awaited<ReturnType<typeof openFile>>
  try {
    const facts = await stat(path)
    if (facts.isDirectory())
      throw new StoreError(`${path} is a folder. Choose the path of a file.`, 'not_a_database')
    if (!facts.isFile()) throw notADatabase(path)
    if (facts.size === 0) return true
    file = await openFile(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      await checkFolder(path)
      return true
    }
    if (error instanceof StoreError) throw error
    const isPermanent = ['EACCES', 'EPERM', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))
    const code = isPermanent ? 'refused' : 'unavailable'
    throw failedBy(error, code, `Cannot read ${path}: ${(error as Error).message}.`)
  }
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0)
    if (bytesRead < 16 || buffer.toString('latin1') !== 'SQLite format 3\0') throw notADatabase(path)
    return false
  } finally {
    await file.close()
  }
}

/** SQLite creates a file, but no folder. */
async function checkFolder(path: string): Promise<void> {
  if (path === ':memory:') return
  try {
    await access(dirname(path))
  } catch (cause) {
    const advice = `there is no folder ${dirname(path)}. Create it, or choose another path.`
    throw failedBy(cause, 'refused', `Cannot create ${path}: ${advice}`)
  }
}

function notADatabase(path: string, cause?: unknown): StoreError {
  const message = `${path} is not a SQLite database; it was left as it was. Choose another path.`
  return failedBy(cause, 'not_a_database', message)
}

function damaged(path: string, cause?: unknown): StoreError {
  const message = `${path} is a damaged SQLite database; it was left as it was. Restore a backup, or move it away to start over.`
  return failedBy(cause, 'damaged', message)
}
