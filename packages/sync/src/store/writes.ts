import type { PollState } from '@formwire/sdk'
import type { Dialect } from '../database/dialect.ts'
import type { Session, SqlRow, SqlValue } from '../database/driver.ts'
import { type KnownResponse, RESPONSE_COLUMNS, responseOf, responseValues, sameRow } from '../rows/row.ts'
import type { FormScope, RowChange } from './scope.ts'
import {
  BATCH,
  countRows,
  flattened,
  insertMissing,
  insertSql,
  iso,
  type KeyRange,
  OF_FORM,
  padded,
  placeholders,
  upsertState,
} from './statements.ts'
import { followView, showsAll, storeColumns, writeWithView } from './views.ts'

/** A response with its column values. */
interface Entry {
  response: KnownResponse
  values: SqlValue[]
  isSubmitted: boolean
}

/** Rows up to which an insert returns the ids of those that did not exist, which is slow for many. */
const FEW = 10

/** A row that came by webhook lacks this value until it is complete. */
const STARTED_AT = RESPONSE_COLUMNS.indexOf('started_at')

/** Columns of a row that is inserted. */
const COLUMNS = [...RESPONSE_COLUMNS, 'workspace_id', 'synced_at', 'deleted_at']

/** What is written besides responses, and what is known of them. */
export interface WriteOptions {
  /** When the request of these responses was sent. A row that was marked deleted later stays deleted. */
  readAt: number
  checkpoint?: PollState | undefined
  /** The live submitted rows to count afterwards. */
  count?: KeyRange | undefined
  /** Whether the form is equal to the service with that count, which is then recorded. */
  isEqual?: ((count: number) => boolean) | undefined
  /** Saves a query if most rows do not exist. */
  expectNew?: boolean
  /** False for a webhook, whose row is completed by the next poll. @default true */
  complete?: boolean
}

/**
 * Writes responses, and with them the checkpoint that covers them, in one transaction. A row that exists is only changed if its content
 * differs; a submitted row never becomes a draft.
 */
export function writeResponses<Transaction>(
  scope: FormScope<Transaction>,
  responses: readonly KnownResponse[],
  options: WriteOptions,
): Promise<{ changes: RowChange[]; count: number }> {
  return writeWithView(scope, async (session, transaction) => {
    const changes: RowChange[] = []
    for (let start = 0; start < responses.length; start += BATCH) {
      const batch = responses.slice(start, start + BATCH)
      changes.push(...(await writeBatch(scope, session, transaction, batch, options)))
    }
    await storeColumns(scope, session, responses)
    const { names, key, now } = scope
    const count = options.count ? await countRows(session, names.responses, key, options.count) : 0
    const values: Record<string, SqlValue> = {
      ...(options.checkpoint ? { poll_state: JSON.stringify(options.checkpoint) } : {}),
      ...(options.isEqual?.(count) ? { synced_at: iso(now()), error: null, error_at: null } : {}),
    }
    if (Object.keys(values).length > 0) await session.query(...upsertState(names.state, key, values))
    return { changes, count }
  })
}

/** Returns the statements that insert one row unless it exists. */
export function insertsOf({ lockedNull }: Dialect, responses: string): FormScope<unknown>['inserts'] {
  const insert = (last?: string): string =>
    `${insertSql(responses, COLUMNS, 1, last)} ON CONFLICT (form_id, id, workspace_id) DO NOTHING`
  return { one: insert(), alone: insert(lockedNull.sql) }
}

/**
 * Writes a response that came by webhook. Without `onResponse`, and if its questions are stored, a new row takes one statement, which takes
 * the lock of the form by itself.
 */
export async function deliverResponse<Transaction>(
  scope: FormScope<Transaction>,
  response: KnownResponse,
): Promise<RowChange[]> {
  const { store, formId, inserts, workspaceId, now } = scope
  if (!scope.onFirst && showsAll(scope, response.answers)) {
    const values = responseValues(formId, response, store.dialect)
    values.push(workspaceId, iso(now()), ...store.dialect.lockedNull.parameters(formId))
    const inserted = await store.runAlone?.('formwire_deliver', inserts.alone, values)
    if (inserted === 1) {
      await followView(scope)
      return [{ kind: 'inserted', formId, id: response.id, status: String(values[2]) }]
    }
  }
  const options = { readAt: 0, expectNew: true, complete: false }
  return (await writeResponses(scope, [response], options)).changes
}

async function writeBatch<Transaction>(
  scope: FormScope<Transaction>,
  session: Session,
  transaction: Transaction,
  batch: readonly KnownResponse[],
  { readAt, expectNew = false, complete = true }: WriteOptions,
): Promise<RowChange[]> {
  const { store, formId, names, key, now, onFirst } = scope
  const { dialect } = store
  const syncedAt = iso(now())
  const entries = new Map<number, Entry>()
  for (const response of batch) {
    if (entries.has(response.id)) continue
    const values = responseValues(formId, response, store.dialect)
    entries.set(response.id, { response, values, isSubmitted: values[2] !== 'in_progress' })
  }
  const update = async ([, id, ...content]: readonly SqlValue[]): Promise<void> => {
    const assignments = RESPONSE_COLUMNS.slice(2).map((name) => `${name} = ?`)
    await session.query(
      `UPDATE ${names.responses} SET ${assignments.join(', ')}, synced_at = ?, deleted_at = NULL WHERE ${OF_FORM} AND id = ?`,
      [...content, syncedAt, ...key, id as number],
    )
  }
  const { inserted, stored } = await insert(scope, session, entries, expectNew, syncedAt)
  const changes: RowChange[] = []
  for (const [id, { response, values, isSubmitted }] of entries) {
    const status = String(values[2])
    const row = stored.get(id)
    if (inserted.has(id)) {
      changes.push({ kind: 'inserted', formId, id, status })
      if (isSubmitted) await onFirst?.({ ...response, complete }, transaction)
      continue
    }
    const wasDraft = row?.status === 'in_progress'
    if (!row || (!wasDraft && !isSubmitted)) continue
    let known: KnownResponse = response
    if (!complete) {
      // A webhook adds nothing to a submitted row, and a deleted response stays deleted.
      if (!wasDraft || row.deleted_at !== null) continue
      known = {
        // In the order of the members of a response.
        ...response,
        ...responseOf(row, dialect),
        ...withoutNulls(response),
        started_at: null,
        duration_sec: null,
      }
      await update(responseValues(formId, known, dialect))
    } else {
      if (row.deleted_at !== null && String(row.deleted_at) >= iso(readAt)) continue
      if (row.deleted_at === null && sameRow(row, values, dialect)) continue
      await update(values)
    }
    changes.push({ kind: 'updated', formId, id, status })
    if (wasDraft && isSubmitted) await onFirst?.({ ...known, complete }, transaction)
  }
  // The service was asked for what completes these rows, and is not asked again.
  const lacking = ([, { isSubmitted, values }]: [number, Entry]) => isSubmitted && values[STARTED_AT] === null
  const settled = complete ? [...entries].filter(lacking).map(([id]) => id) : []
  await insertSettled(session, scope, settled)
  return changes
}

/** Inserts the rows that do not exist, and returns their ids and the rows that do. */
async function insert<Transaction>(
  { names, key, workspaceId, inserts }: FormScope<Transaction>,
  session: Session,
  entries: ReadonlyMap<number, Entry>,
  expectNew: boolean,
  syncedAt: string,
): Promise<{ inserted: Set<number>; stored: Map<number, SqlRow> }> {
  const select = async (ids: readonly number[]): Promise<Map<number, SqlRow>> => {
    const list = padded(ids)
    const sql = `SELECT ${RESPONSE_COLUMNS.join(', ')}, deleted_at FROM ${names.responses}
        WHERE ${OF_FORM} AND id IN (${placeholders(list.length)})`
    return new Map((await session.query(sql, [...key, ...list])).map((row) => [Number(row.id), row]))
  }
  /** Whether all ids are above those of the form's rows, so that none of them exists. */
  const areHighest = async (): Promise<boolean> => {
    const sql = `SELECT max(id) AS highest FROM ${names.responses} WHERE ${OF_FORM}`
    const [row] = await session.query(sql, key)
    return row?.highest === null || Number(row?.highest) < Math.min(...ids)
  }
  const ids = [...entries.keys()]
  const isFew = ids.length <= FEW
  const areNew = expectNew && (isFew || (await areHighest()))
  let stored = areNew ? new Map<number, SqlRow>() : await select(ids)
  const missing = ids.filter((id) => !stored.has(id))
  const rows = missing.map((id) => [...(entries.get(id) as Entry).values, workspaceId, syncedAt, null])
  if (!expectNew || !isFew) {
    const sql = insertSql(names.responses, COLUMNS, rows.length)
    if (rows.length > 0) await session.query(sql, flattened(rows))
    return { inserted: new Set(missing), stored }
  }
  const [row, ...others] = rows
  const inserted =
    row && others.length === 0
      ? // Faster than to return the id.
        new Set((await session.run(inserts.one, row, 'formwire_insert')) === 1 ? ids : [])
      : await insertMissing(session, names.responses, COLUMNS, rows)
  if (inserted.size < ids.length) stored = await select(ids.filter((id) => !inserted.has(id)))
  return { inserted, stored }
}

/** Gives up completing rows, which stay as they are. */
export async function insertSettled<Transaction>(
  session: Session,
  { names, key }: FormScope<Transaction>,
  ids: readonly number[],
): Promise<void> {
  const rows = ids.map((id) => [...key, id])
  if (ids.length > 0) await insertMissing(session, names.settled, ['form_id', 'workspace_id', 'id'], rows)
}

function withoutNulls(response: KnownResponse): Partial<KnownResponse> {
  return Object.fromEntries(
    Object.entries(response).filter(([, value]) => value !== null && value !== undefined),
  ) as Partial<KnownResponse>
}
