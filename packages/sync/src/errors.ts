import { helpUrlOf } from '@formwire/internal/help-page'

/** Why a store refused or failed. */
export type StoreErrorCode =
  /** The file is not a SQLite database. */
  | 'not_a_database'
  /** The database is damaged. It was left as it was. */
  | 'damaged'
  /** A table with one of our names belongs to another program, or to an earlier version of this package. It was left as it was. */
  | 'foreign_table'
  /** The tables were written by a newer version of this package. */
  | 'newer_version'
  /** The rows of the workspace come from another service. They were left as they were. */
  | 'other_workspace'
  /** Another program held a lock for too long. */
  | 'locked'
  /** The database cannot be reached or opened, or its server only reads until a standby is promoted. */
  | 'unavailable'
  /** The database or its schema does not exist or cannot be created, its file is read-only, or it does not accept the user: an outage would pass, this stays. */
  | 'refused'
  /** The driver is not installed. */
  | 'no_driver'
  /** A queue requires a newer version of Node. */
  | 'unsupported_node'
  /** The store was closed. */
  | 'closed'

/** The database refused or failed. Never contains a password or a row. */
export class StoreError extends Error {
  readonly code: StoreErrorCode

  constructor(message: string, code: StoreErrorCode, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'StoreError'
    this.code = code
  }

  /** Recognizes the errors of other copies of this package: the CommonJS entry points are separate bundles. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Object(value).name === 'StoreError' && typeof Object(value).isPassing === 'boolean'
  }

  /** URL of the page that explains the code. */
  get helpUrl(): string {
    return helpUrlOf(`database_${this.code}`)
  }

  /** Whether a later attempt may succeed. */
  get isPassing(): boolean {
    return this.code === 'locked' || this.code === 'unavailable'
  }
}

/** Invalid use of the package, such as an unknown option. Nothing was done. */
export class SyncUsageError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'UsageError'
  }

  /** URL of the page that explains this error. */
  get helpUrl(): string {
    return helpUrlOf('UsageError')
  }
}

/** What one run did. */
export interface SyncSummary {
  /** Forms that were synchronized, or whose counts say that they are equal. */
  forms: number
  /** Rows that did not exist before, drafts included. */
  inserted: number
  /** Rows whose content changed: completed after a webhook, saved drafts, drafts that were submitted. */
  updated: number
  /** Rows whose `deleted_at` was set. */
  deleted: number
  /** HTTP requests of the client during the run, retries included. */
  requests: number
  duration_ms: number
}

/** Some of the given forms do not exist, or the key has no access to them. The others were synchronized. */
export class UnknownFormsError extends Error {
  /** The status of the service, which reports both cases alike (AUTH-12). */
  readonly status = 404
  readonly code = 'not_found'
  readonly formIds: readonly string[]
  readonly summary: SyncSummary

  constructor(formIds: readonly string[], summary: SyncSummary) {
    const names = formIds.map((id) => JSON.stringify(id)).join(', ')
    super(
      `${formIds.length === 1 ? 'Form' : 'Forms'} not found: ${names}. Check the ids and the workspace of the key.`,
    )
    this.name = 'UnknownFormsError'
    this.formIds = formIds
    this.summary = summary
  }

  /** URL of the page that explains this error. */
  get helpUrl(): string {
    return helpUrlOf(this.name)
  }
}
