import { isUnreachable, isWithoutReply, URL_ADVICE } from '@formwire/internal/postgres'
import { FORM_LOCK_WAIT_MS, failedBy } from '../database/driver.ts'
import { StoreError, SyncUsageError } from '../errors.ts'

/** Whether a pooler between us and the server does not keep named statements. Nothing was written. */
export function isLostStatement(error: unknown): boolean {
  return ['26000', '42P05'].includes(String((error as { code?: unknown }).code))
}

/** Whether a server only reads: a standby, or a primary that was replaced. Another connection may reach the one that writes. */
export function isReadOnly(error: unknown): boolean {
  return READ_ONLY.includes(String((error as { code?: unknown }).code))
}

/** A read-only transaction, and a lock that does not exist during recovery. */
const READ_ONLY = ['25006', '55000']

/** Whether the server cancelled a statement. */
export function isCancelled(error: unknown): boolean {
  const { cause = error } = Object(error) as { cause?: unknown }
  return (cause as { code?: unknown }).code === '57014'
}

/** The error of a transaction that PostgreSQL rolls back because one of its statements failed. */
export function rolledBack(cause: unknown): SyncUsageError {
  const reason = cause instanceof Error ? ` (${cause.message})` : ''
  return new SyncUsageError(
    `onResponse caught the error of a statement, or did not await it${reason}, after which PostgreSQL commits nothing. Await it and let it throw, or run the statement after a SAVEPOINT.`,
    { cause },
  )
}

/** The error of a transaction that PostgreSQL ended because this process ran no statement in it. */
export function endedWhileIdle(cause: unknown, idleMs: number): StoreError {
  const message = `PostgreSQL ended a transaction in which no statement ran for ${idleMs / 1000} s, so that its locks hold up nobody. If onResponse takes so long, do its work elsewhere, such as from an outbox, or raise transactionIdleMs.`
  return failedBy(cause, 'locked', message)
}

/** Reasons that last: TLS, certificates, options of the driver, and statements that the server refuses (classes 0A and 42). */
const LASTING = /CERT|^(?:ERR_|UNABLE_TO_|HOSTNAME_MISMATCH|0A|42)/

/** The error of a connection that cannot be opened, which names the database whatever the reason is. An unknown reason may pass. */
export function connectionFailure(error: unknown): unknown {
  const known = translated(error)
  if (known instanceof StoreError || known instanceof SyncUsageError) return known
  const { message, code } = error as Error & { code?: unknown }
  const lasts = LASTING.test(String(code)) || message.includes('does not support SSL')
  return failedBy(error, lasts ? 'refused' : 'unavailable', `Cannot use the PostgreSQL database: ${message}.`)
}

/** Adds what to set if nothing names the server, so that the driver tries the port of PostgreSQL on this machine. */
export function withHint(error: unknown, isNamed: boolean): unknown {
  const { FORMWIRE_DATABASE_URL, PGHOST } = process.env
  if (isNamed || FORMWIRE_DATABASE_URL || PGHOST) return error
  if (!(error instanceof StoreError) || error.code !== 'unavailable') return error
  const message = `${error.message} Set FORMWIRE_DATABASE_URL or PGHOST to use another server.`
  return failedBy(error.cause, error.code, message)
}

const PASSWORD_ADVICE =
  'The PostgreSQL database requires a password: set it in FORMWIRE_DATABASE_URL or PGPASSWORD, or use a .pgpass file.'

/** Errors of the server never show its password; those of the driver name the host at most. */
export function translated(
  error: unknown,
  { earlier, waitMs = FORM_LOCK_WAIT_MS }: { earlier?: unknown; waitMs?: number } = {},
): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error
  const code = String((error as { code?: unknown }).code ?? '')
  const message = `Cannot use the PostgreSQL database: ${error.message || code}.`
  if (code === '55P03' || code === '40P01' || code === '40001' || isWithoutReply(error)) {
    const locked = `The database was locked by another program for ${waitMs / 1000} s. End it or try again later.`
    return failedBy(error, 'locked', locked)
  }
  // The driver parses the URL when it connects. Its error may contain it.
  if (code === 'ERR_INVALID_URL') return new SyncUsageError(URL_ADVICE)
  // A statement after one that failed.
  if (code === '25P02') return rolledBack(earlier)
  // Classes 28 (authentication), 3D and 3F (no such database or schema), and a role without the right to do this.
  if (/^(?:28|3D|3F|42501)/.test(code)) return failedBy(error, 'refused', message)
  // biome-ignore lint/plugin: this error of the driver has no code, and names a step of the protocol
  if (/client password must be/.test(error.message)) return failedBy(error, 'refused', PASSWORD_ADVICE)
  // Statements of onResponse have other reasons for 55000.
  const isOut = (isReadOnly(error) && error !== earlier) || isUnreachable(error)
  return isOut ? failedBy(error, 'unavailable', message) : error
}
