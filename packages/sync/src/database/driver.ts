import { StoreError, type StoreErrorCode } from '../errors.ts'
import type { Dialect, SqlValue } from './dialect.ts'

export type { SqlValue } from './dialect.ts'

/** A row as the driver returns it. JSON columns are text in SQLite and parsed values in PostgreSQL. */
export type SqlRow = Record<string, unknown>

/** Values that all users of a store share. */
export interface Shared {
  /** Returns the value of a name, which the first one creates. */
  of<Value>(name: string, create: () => Value): Value
}

export function createShared(): Shared {
  const values = new Map<string, unknown>()
  return {
    of<Value>(name: string, create: () => Value): Value {
      if (!values.has(name)) values.set(name, create())
      return values.get(name) as Value
    },
  }
}

/** Runs statements on one connection. Placeholders are `?`. */
export interface Session {
  query(sql: string, parameters?: readonly SqlValue[]): Promise<SqlRow[]>
  /**
   * Runs a statement that returns no rows, and returns how many it changed.
   *
   * @param name of a statement that is prepared once a connection
   */
  run(sql: string, parameters: readonly SqlValue[], name?: string): Promise<number>
}

/**
 * A database that responses are written to. Create one with `sqliteStore` of `@formwire/sync/sqlite` or `postgresStore` of
 * `@formwire/sync/postgres`. `Transaction` is what `onResponse` receives to work in the same transaction.
 */
export interface SyncStore<Transaction = unknown> {
  readonly dialect: Dialect
  /** What all that use the store share. */
  readonly shared: Shared
  /** Loads the driver, without connecting. @throws StoreError if it is not installed */
  load?(): Promise<void>
  /** Connects. Resolves immediately if the store is open. @throws StoreError */
  open(): Promise<void>
  /**
   * Runs `work` in one transaction and commits it; rolls back if it rejects. Transactions with the same `lock` run one after the
   * other, in every process. Waits for other programs' locks up to 20 s in SQLite, and up to 5 s in PostgreSQL, unless `waitMs` says
   * otherwise there.
   * @throws StoreError
   */
  transaction<Result>(
    lock: string,
    work: (session: Session, transaction: Transaction) => Promise<Result>,
    options?: { waitMs?: number },
  ): Promise<Result>
  /**
   * Runs one statement that writes, in a transaction of its own, which takes fewer steps than {@link transaction}. Returns the number
   * of rows that it changed, or `undefined` if that is not possible here.
   *
   * @param name of the statement, which is prepared once. @throws StoreError
   */
  runAlone?(name: string, sql: string, parameters: readonly SqlValue[]): Promise<number | undefined>
  /**
   * Runs one query outside of a transaction and returns its rows. Placeholders are `?`. Does not prevent a statement from writing.
   *
   * @param options.isQualified whether the query names the schema of each table by `dialect.qualified`, which takes fewer steps
   * @throws StoreError, or the error of the driver for a query that is wrong
   */
  read(sql: string, parameters?: readonly SqlValue[], options?: { isQualified?: boolean }): Promise<SqlRow[]>
  /**
   * Closes the connections, after the transactions in progress. One that waits for a lock of another program is rolled back. The store
   * cannot be used afterwards.
   */
  close(): Promise<void>
}

/** An error of a store with what caused it. */
export const failedBy = (cause: unknown, code: StoreErrorCode, message: string): StoreError =>
  new StoreError(message, code, { cause })

/** What is thrown when a transaction is used after its end. */
export function checkOpen(isOpen: boolean): void {
  if (!isOpen) throw new StoreError('The transaction has ended: await what onResponse does in it.', 'closed')
}

/** Milliseconds to wait for a lock of another program: in SQLite, and for the tables in PostgreSQL. */
export const LOCK_WAIT_MS = 20_000

/** Milliseconds to wait for the lock of a form in PostgreSQL. */
export const FORM_LOCK_WAIT_MS = 5000

/** The error of a wait for a lock that the end of the store ended. */
export const closedWhileLocked = (cause: unknown): StoreError =>
  failedBy(cause, 'closed', 'The store was closed while another program held a lock.')

/** Whether PostgreSQL ended a transaction because no statement ran in it: `onResponse` took too long, and no other process holds the lock. */
export function isIdleEnd(error: unknown): boolean {
  const { cause = error } = Object(error) as { cause?: unknown }
  return (Object(cause) as { code?: unknown }).code === '25P03'
}
