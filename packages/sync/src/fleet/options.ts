import { checkDurations, checkFunctions, checkNames, invalid, serviceUrl } from '../check-options.ts'
import { QUEUE_SCHEMA } from '../engine/queue-status.ts'
import { SyncUsageError } from '../errors.ts'
import type { SyncedResponse } from '../options.ts'
import type { PostgresTransaction } from '../postgres/index.ts'
import type { DeletedRows } from '../store/marks.ts'
import type { RowChange } from '../store/writes.ts'
import type { Drift } from '../watch/drift.ts'

/** A workspace that the fleet keeps in sync. */
export interface FleetWorkspace {
  /** Name in the queue, in errors and in `status()`: letters, digits, `.`, `_` and `-`. */
  name: string
  /** Keys of the workspace. Each one has a rate budget of its own, which all workers share. */
  apiKeys: readonly string[]
  /** URL of the service. @default process.env.FORMWIRE_BASE_URL */
  baseUrl?: string | undefined
  /** URL that the service had before it moved, as with `createSync`. */
  movedFrom?: string | undefined
  /** Schema of its tables, which is created if it does not exist. @default the first one of the search path */
  schema?: string | undefined
  /** Ids of forms, or all forms of the workspace, including later ones. @default 'all' */
  forms?: readonly string[] | 'all' | undefined
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
export interface FleetOptions {
  /** URL of the database. @default process.env.FORMWIRE_DATABASE_URL, else the variables of libpq (`PGHOST` …) */
  connectionString?: string | undefined
  workspaces: readonly FleetWorkspace[]
  /** Sets `deleted_at` of rows whose response was deleted. @default true */
  deletions?: boolean | undefined
  /** What happens to the row of a deleted response, as with `createSync`. @default 'mark' */
  deleted?: DeletedRows | undefined
  /** Also keeps rows of saved drafts, with the status `in_progress`. @default false */
  drafts?: boolean | undefined
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
  /** Called when a form begins to fail. It is tried again less and less often, and the other forms are read as usual. */
  onFormFailed?: ((failure: { workspace: string; formId: string; error: unknown }) => void) | undefined
  /** Called when a form that failed is read again, in the worker that reads it. */
  onFormRecovered?: ((form: { workspace: string; formId: string }) => void) | undefined
  /** Called once for each change of a form, in the worker that finds it, as with `createSync`. */
  onDrift?: ((drift: Drift, workspace: string) => void) | undefined
  /** Stops the worker, like `stop()`. */
  signal?: AbortSignal | undefined
  /** Milliseconds between two looks at the list of forms, at least 1000. @default 30_000 */
  intervalMs?: number | undefined
  /** Milliseconds after which a form is read completely again. @default 7 days */
  fullEveryMs?: number | undefined
  /** Forms that a worker reads at a time with each key. @default 4 */
  concurrency?: number | undefined
  /** Connections at most to each schema, and as many to the queue. @default 4 */
  poolSize?: number | undefined
  /** Requests per minute and key, or false for a service without limits. @default { perMinute: 120 } */
  rateLimit?: { perMinute: number } | false | undefined
  /** Schema of the queue. @default 'formwire_queue' */
  queueSchema?: string | undefined
}

/** Validated options with their defaults. */
export interface FleetSettings extends FleetOptions {
  deletions: boolean
  deleted: DeletedRows
  drafts: boolean
  intervalMs: number
  fullEveryMs: number
  concurrency: number
  poolSize: number
  rateLimit: { perMinute: number } | false
  queueSchema: string
}

const NAMES: { [Name in keyof Required<FleetOptions>]: true } = {
  connectionString: true,
  workspaces: true,
  deletions: true,
  deleted: true,
  drafts: true,
  onResponse: true,
  onChanges: true,
  onError: true,
  onRecovered: true,
  onFormFailed: true,
  onFormRecovered: true,
  onDrift: true,
  signal: true,
  intervalMs: true,
  fullEveryMs: true,
  concurrency: true,
  poolSize: true,
  rateLimit: true,
  queueSchema: true,
}

const WORKSPACE_NAMES: { [Name in keyof Required<FleetWorkspace>]: true } = {
  name: true,
  apiKeys: true,
  baseUrl: true,
  movedFrom: true,
  schema: true,
  forms: true,
}

const WEEK_MS = 604_800_000

/** Validates the options and applies the defaults. @throws SyncUsageError */
export function readFleetOptions(options: FleetOptions): FleetSettings {
  checkNames('createFleet()', options, NAMES)
  const { workspaces, signal, deleted = 'mark', deletions = true, drafts = false, rateLimit } = options
  const {
    intervalMs = 30_000,
    fullEveryMs = WEEK_MS,
    concurrency = 4,
    poolSize = 4,
    connectionString,
    queueSchema = QUEUE_SCHEMA,
  } = options
  checkWorkspaces(workspaces)
  for (const [name, value] of Object.entries({ deletions, drafts }))
    if (typeof value !== 'boolean') throw invalid(name, 'true or false', value)
  for (const [name, value] of Object.entries({ connectionString, queueSchema }))
    if (value !== undefined && !isText(value)) throw invalid(name, 'a text', value)
  if (deleted !== 'mark' && deleted !== 'erase') throw invalid('deleted', '"mark" or "erase"', deleted)
  if (deleted === 'erase' && !deletions)
    throw new SyncUsageError('"deleted" cannot be "erase" with "deletions" false: no deletion is looked for.')
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function')
    throw invalid('signal', 'an AbortSignal', signal)
  const { onResponse, onChanges, onError, onRecovered, onFormFailed, onFormRecovered, onDrift } = options
  checkFunctions({ onResponse, onChanges, onError, onRecovered, onFormFailed, onFormRecovered, onDrift })
  checkDurations({ fullEveryMs })
  if (!(intervalMs >= 1000)) throw invalid('intervalMs', 'a number of milliseconds from 1000', intervalMs)
  for (const [name, value] of Object.entries({ concurrency, poolSize }))
    if (!Number.isInteger(value) || value < 1) throw invalid(name, 'a positive integer', value)
  return {
    ...options,
    deletions,
    deleted,
    drafts,
    intervalMs,
    fullEveryMs,
    concurrency,
    poolSize,
    rateLimit: rateLimit ?? { perMinute: 120 },
    queueSchema,
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const isListOfTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isText)

function checkWorkspaces(workspaces: unknown): void {
  if (!Array.isArray(workspaces) || workspaces.length === 0)
    throw invalid('workspaces', 'a list of workspaces', workspaces)
  const names = new Set<string>()
  for (const [index, workspace] of workspaces.entries()) {
    const path = `workspaces[${index}]`
    checkNames(path, workspace, WORKSPACE_NAMES)
    const { name, apiKeys, baseUrl, movedFrom, schema, forms = 'all' } = workspace as FleetWorkspace
    if (typeof name !== 'string' || !/^[\w.-]{1,60}$/.test(name))
      throw invalid(`${path}.name`, 'a name of letters, digits, ".", "_" and "-"', name)
    if (names.has(name)) throw invalid(`${path}.name`, 'a name of its own', name)
    names.add(name)
    // A message never contains a key.
    if (!isListOfTexts(apiKeys))
      throw new SyncUsageError(`"${path}.apiKeys" must be a list of one or more keys, none of them empty.`)
    for (const [member, value] of Object.entries({ baseUrl, schema }))
      if (value !== undefined && !isText(value)) throw invalid(`${path}.${member}`, 'a text', value)
    serviceUrl(`${path}.movedFrom`, movedFrom)
    if (forms !== 'all' && !isListOfTexts(forms))
      throw invalid(`${path}.forms`, '"all" or a list of form ids', forms)
  }
}
