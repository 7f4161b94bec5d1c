import type { Transport } from '@formwire/sdk'
import {
  ANYTHING,
  COUNT,
  DURATION,
  durationFrom,
  FORMS,
  functions,
  invalid,
  isListOfTexts,
  readOptions,
  required,
  rule,
  type Settings,
  type Shape,
  SIGNAL,
  TEXT,
} from '../check-options.ts'
import { QUEUE_SCHEMA } from '../engine/queue-status.ts'
import { checkDeleted, ROW_DEFAULTS, ROWS, type RowOptions, type SyncedResponse } from '../options.ts'
import type { PostgresTransaction } from '../postgres/index.ts'
import type { FullView, RowChange } from '../store/scope.ts'

/** A workspace that the fleet keeps in sync. */
export interface FleetWorkspace {
  /** Name in the queue, in errors and in `status()`: letters, digits, `.`, `_` and `-`. */
  name: string
  /** Keys of the workspace. Each one has a rate budget of its own, which all workers share. */
  apiKeys: readonly string[]
  /** URL of the service. @default process.env.FORMWIRE_BASE_URL */
  baseUrl?: string | undefined
  /** Schema of its tables, which is created if it does not exist. @default the first one of the search path */
  schema?: string | undefined
  /** Ids of forms, or all forms of the workspace, including later ones. @default 'all' */
  forms?: readonly string[] | 'all' | undefined
  /** Sends its requests, for example through a proxy. @default that of the client */
  transport?: Transport | undefined
}

/** Why the service or the database failed. */
export interface FleetFailure {
  /** `undefined` if the database failed, which concerns all workspaces. */
  workspace: string | undefined
  error: unknown
  /** Whether the work for the workspace has ended in this worker. */
  ended: boolean
}

/** Options of `createFleet`. All workers of a fleet use the same ones. */
export interface FleetOptions extends RowOptions {
  /** URL of the database. @default process.env.FORMWIRE_DATABASE_URL, else the variables of libpq (`PGHOST` …) */
  connectionString?: string | undefined
  workspaces: readonly FleetWorkspace[]
  /**
   * Called once per response, inside the transaction that writes its first submitted row, as with `createSync`. If it throws, the form is
   * tried again later, and the others continue.
   */
  onResponse?:
    | ((response: SyncedResponse, transaction: PostgresTransaction, workspace: string) => unknown)
    | undefined
  /** Called after each commit that changed rows. */
  onChanges?: ((changes: readonly RowChange[], workspace: string) => void) | undefined
  /**
   * Called when the service or the database fails: once per outage, which is waited out. A permanent failure, such as a revoked key, ends
   * the work for that workspace in this worker, which `status()` shows. Ids in `forms` that do not exist are an `UnknownFormsError`.
   */
  onError?: ((failure: FleetFailure) => void) | undefined
  /** Called when an outage that `onError` has reported is over. `undefined`: that of the database. */
  onRecovered?: ((workspace: string | undefined) => void) | undefined
  /** Called in each worker when the view of a form leaves questions out, as with `createSync`. */
  onViewFull?: ((view: FullView, workspace: string) => void) | undefined
  /** Called when a form begins to fail. It is tried again less and less often, and the other forms are read as usual. */
  onFormFailed?: ((failure: { workspace: string; formId: string; error: unknown }) => void) | undefined
  /** Called when a form that failed is read again, in the worker that reads it. */
  onFormRecovered?: ((form: { workspace: string; formId: string }) => void) | undefined
  /** Stops the worker, like `stop()`. */
  signal?: AbortSignal | undefined
  /** Milliseconds between two looks at the list of forms, at least 1000. @default 30_000 */
  intervalMs?: number | undefined
  /** Forms that a worker reads at a time with each key. @default 4 */
  concurrency?: number | undefined
  /** Connections at most to each schema, and as many to the queue. @default 4 */
  poolSize?: number | undefined
  /** Milliseconds without a statement after which PostgreSQL ends a transaction, as with `postgresStore`. @default 60_000 */
  transactionIdleMs?: number | undefined
  /** Requests per minute and key, or false for a service without limits. @default { perMinute: 120 } */
  rateLimit?: { perMinute: number } | false | undefined
  /** Schema of the queue. @default 'formwire_queue' */
  queueSchema?: string | undefined
}

const DEFAULTS = {
  ...ROW_DEFAULTS,
  intervalMs: 30_000,
  concurrency: 4,
  poolSize: 4,
  rateLimit: { perMinute: 120 } as { perMinute: number } | false,
  queueSchema: QUEUE_SCHEMA,
}

/** Validated options with their defaults. */
export type FleetSettings = Settings<FleetOptions, typeof DEFAULTS>

const SHAPE: Shape<FleetOptions> = {
  connectionString: TEXT,
  workspaces: required(rule('a list of workspaces', (value) => Array.isArray(value) && value.length > 0)),
  ...ROWS,
  ...functions('onResponse', 'onChanges', 'onError', 'onRecovered', 'onViewFull'),
  ...functions('onFormFailed', 'onFormRecovered'),
  signal: SIGNAL,
  intervalMs: durationFrom('from 1000', 1000),
  concurrency: COUNT,
  poolSize: COUNT,
  transactionIdleMs: DURATION,
  rateLimit: ANYTHING,
  queueSchema: TEXT,
}

const WORKSPACE: Shape<FleetWorkspace> = {
  name: required(
    rule(
      'a name of letters, digits, ".", "_" and "-"',
      (value) => typeof value === 'string' && /^[\w.-]{1,60}$/.test(value),
    ),
  ),
  apiKeys: {
    ...required(rule('a list of one or more keys, none of them empty', isListOfTexts)),
    isSecret: true,
  },
  baseUrl: TEXT,
  schema: TEXT,
  forms: FORMS,
  transport: ANYTHING,
}

/** Validates the options and applies the defaults. @throws SyncUsageError */
export function readFleetOptions(options: FleetOptions): FleetSettings {
  const settings = readOptions('createFleet()', options, { shape: SHAPE, defaults: DEFAULTS })
  const names = new Set<string>()
  for (const [index, workspace] of settings.workspaces.entries()) {
    const what = `workspaces[${index}]`
    const { name } = readOptions(what, workspace, { shape: WORKSPACE, path: `${what}.` })
    if (names.has(name)) throw invalid(`${what}.name`, 'a name of its own', name)
    names.add(name)
  }
  checkDeleted(settings)
  return settings
}
