import { isForeignPage } from '@formwire/internal/foreign-page'
import {
  isConnectionError,
  isNotFoundError,
  isOutage,
  isPaginationError,
  isRateLimitError,
  isResponseTooLargeError,
} from '@formwire/sdk'
import type { SyncStore } from '../database/driver.ts'
import { StoreError } from '../errors.ts'

/** Whether the service reports that something does not exist. The 404 of a proxy has no envelope. */
export function isGone(error: unknown): boolean {
  return isNotFoundError(error) && error.envelope
}

/** Whether a later attempt may succeed: the network, a proxy, the service or the database is unavailable or limits requests. */
export function isPassing(error: unknown): boolean {
  return error instanceof StoreError ? error.isPassing : isOutage(error) || isPaginationError(error)
}

/** Whether another process holds the lock of a form in PostgreSQL. In SQLite, the lock is that of all forms. */
export const isFormLocked = (error: unknown, { dialect }: Pick<SyncStore, 'dialect'>): boolean =>
  dialect.name === 'postgres' && error instanceof StoreError && error.code === 'locked'

/**
 * Returns the error code of the service, or the name of an error without one, such as `TimeoutError`. A page of a proxy below 500 is
 * `foreign_page`: its status says nothing of the key.
 */
export function failureCode(error: unknown): string {
  const { code, name, status } = Object(error) as { code?: unknown; name?: unknown; status?: unknown }
  if (isForeignPage(error) && Number(status) < 500) return 'foreign_page'
  return String(typeof code === 'string' ? code : name)
}

/** Whether the service failed for one form, or a single response of it is too large, so that others may work. */
export function isFormFailure(error: unknown): boolean {
  return (
    (isPassing(error) || isResponseTooLargeError(error)) &&
    !(error instanceof StoreError) &&
    !isConnectionError(error) &&
    !isRateLimitError(error)
  )
}
