import type { PollState } from '@formwire/sdk'
import type { Session, SqlRow, SqlValue, SyncStore } from '../database/driver.ts'
import { type KnownResponse, RESPONSE_COLUMNS, responseOf, responseValues, sameRow } from '../rows/row.ts'
import { namesOf, type TableNames } from './names.ts'
import {
  BATCH,
  countRows,
  type FormKey,
  insertMany,
  insertMissing,
  insertSql,
  iso,
  type KeyRange,
  marks,
  OF_FORM,
  padded,
  upsertState,
} from './statements.ts'
import { type Views, viewsOf } from './views.ts'

/** A change of one row. */
export interface RowChange {
  kind: 'inserted' | 'updated' | 'deleted'
  formId: string
  id: number
  status: string
}

/** A response to write. */
export interface Incoming {
  response: KnownResponse
  /** False for a webhook, whose row is completed by the next poll. */
  complete: boolean
}

/** A response with its column values. */
interface Entry extends Incoming {
  values: SqlValue[]
  isSubmitted: boolean
}

/** Called inside the transaction when the first submitted row of a response is written. */
export type FirstSubmitted<Transaction> = (
  response: KnownResponse & { complete: boolean },
  transaction: Transaction,
) => unknown

/** Rows up to which an insert returns the ids of those that did not exist, which is slow for many. */
const FEW = 10

/** A row that came by webhook lacks this value until it is complete. */
const STARTED_AT = RESPONSE_COLUMNS.indexOf('started_at')

/** Columns of a row that is inserted. */
const COLUMNS = [...RESPONSE_COLUMNS, 'workspace_id', 'synced_at', 'deleted_at']

/** Writes responses of one workspace, each call in one transaction. */
export class Writes<Transaction> {
  readonly #store: SyncStore<Transaction>
  readonly #workspaceId: string
  readonly #names: TableNames
  readonly #views: Views
  readonly #onFirst: FirstSubmitted<Transaction> | undefined
  readonly #now: () => number
  /** Inserts one row unless it exists. */
  readonly #insertOne: string
  /** The same without a transaction: its last value takes the lock of the form. */
  readonly #insertAlone: string

  constructor(
    store: SyncStore<Transaction>,
    workspaceId: string,
    onFirst: FirstSubmitted<Transaction> | undefined,
    now: () => number,
  ) {
    this.#store = store
    this.#workspaceId = workspaceId
    this.#names = namesOf(store.dialect)
    this.#views = viewsOf(store, workspaceId)
    this.#onFirst = onFirst
    this.#now = now
    const insert = (last?: string): string =>
      `${insertSql(this.#names.responses, COLUMNS, 1, last)} ON CONFLICT (form_id, id, workspace_id) DO NOTHING`
    this.#insertOne = insert()
    this.#insertAlone = insert(store.dialect.lockedNull.sql)
  }

  /**
   * Writes responses, and with them the checkpoint that covers them. A row that exists is only changed if its content differs; a
   * submitted row never becomes a draft. Then counts the live submitted rows from `countFrom` on, if it is given.
   *
   * @param readAt when the request of these responses was sent. A row that was marked deleted later stays deleted.
   */
  write(
    formId: string,
    incoming: readonly Incoming[],
    options: {
      readAt: number
      checkpoint?: PollState | undefined
      count?: KeyRange | undefined
      /** Whether the form is equal to the service with that count, which is then recorded. */
      isEqual?: ((count: number) => boolean) | undefined
      /** Saves a query if most rows do not exist. */
      expectNew?: boolean
    },
  ): Promise<{ changes: RowChange[]; count: number }> {
    return this.#views.during(this.#store, formId, this.#now, async (session, transaction) => {
      const changes: RowChange[] = []
      for (let start = 0; start < incoming.length; start += BATCH) {
        const batch = incoming.slice(start, start + BATCH)
        changes.push(
          ...(await this.#writeBatch(
            session,
            transaction,
            formId,
            batch,
            options.readAt,
            options.expectNew === true,
          )),
        )
      }
      await this.#views.update(
        session,
        formId,
        incoming.map(({ response }) => response.answers),
      )
      const count = options.count
        ? await countRows(session, this.#names.responses, this.#key(formId), options.count)
        : 0
      await this.#saveState(session, formId, options.checkpoint, options.isEqual?.(count) === true)
      return { changes, count }
    })
  }

  /**
   * Writes a response that came by webhook. Without `onResponse`, and if its questions are stored, a new row takes one statement.
   */
  async deliver(formId: string, response: KnownResponse): Promise<RowChange[]> {
    if (!this.#onFirst && this.#views.cover(formId, response.answers)) {
      const { dialect } = this.#store
      const values = responseValues(formId, response, dialect)
      values.push(this.#workspaceId, iso(this.#now()), ...dialect.lockedNull.parameters(formId))
      const inserted = await this.#store.runAlone?.('formwire_deliver', this.#insertAlone, values)
      if (inserted === 1) {
        await this.#views.followOne(this.#store, formId, this.#now)
        return [{ kind: 'inserted', formId, id: response.id, status: String(values[2]) }]
      }
    }
    const incoming = [{ response, complete: false }]
    return (await this.write(formId, incoming, { readAt: 0, expectNew: true })).changes
  }

  async #writeBatch(
    session: Session,
    transaction: Transaction,
    formId: string,
    batch: readonly Incoming[],
    readAt: number,
    expectNew: boolean,
  ): Promise<RowChange[]> {
    const { dialect } = this.#store
    const syncedAt = iso(this.#now())
    const entries = new Map<number, Entry>()
    for (const { response, complete } of batch) {
      if (entries.has(response.id)) continue
      const values = responseValues(formId, response, dialect)
      entries.set(response.id, { response, complete, values, isSubmitted: values[2] !== 'in_progress' })
    }
    const { inserted, stored } = await this.#insert(session, formId, entries, expectNew, syncedAt)
    const changes: RowChange[] = []
    for (const [id, { response, complete, values, isSubmitted }] of entries) {
      const first = isSubmitted ? response : undefined
      const row = stored.get(id)
      if (inserted.has(id)) {
        changes.push({ kind: 'inserted', formId, id, status: String(values[2]) })
        if (first) await this.#onFirst?.({ ...first, complete }, transaction)
        continue
      }
      const wasDraft = row?.status === 'in_progress'
      if (!row || (!wasDraft && !isSubmitted)) continue
      let known: KnownResponse = response
      if (!complete) {
        // A webhook adds nothing to a submitted row, and a deleted response stays deleted.
        if (!wasDraft || row.deleted_at !== null) continue
        known = {
          ...responseOf(row, dialect),
          ...withoutNulls(response),
          started_at: null,
          duration_sec: null,
        }
        await this.#update(session, responseValues(formId, known, dialect), syncedAt)
      } else {
        if (row.deleted_at !== null && String(row.deleted_at) >= iso(readAt)) continue
        if (row.deleted_at === null && sameRow(row, values, dialect)) continue
        await this.#update(session, values, syncedAt)
      }
      changes.push({ kind: 'updated', formId, id, status: String(values[2]) })
      if (wasDraft && isSubmitted) await this.#onFirst?.({ ...known, complete }, transaction)
    }
    const settled = [...entries]
      .filter(([, entry]) => isSettled(entry))
      .map(([id]) => [...this.#key(formId), id])
    if (settled.length > 0)
      await insertMissing(session, this.#names.settled, ['form_id', 'workspace_id', 'id'], settled)
    return changes
  }

  /** Inserts the rows that do not exist, and returns their ids and the rows that do. */
  async #insert(
    session: Session,
    formId: string,
    entries: ReadonlyMap<number, Entry>,
    expectNew: boolean,
    syncedAt: string,
  ): Promise<{ inserted: Set<number>; stored: Map<number, SqlRow> }> {
    const select = async (ids: readonly number[]): Promise<Map<number, SqlRow>> =>
      new Map((await this.#select(session, formId, ids)).map((row) => [Number(row.id), row]))
    const ids = [...entries.keys()]
    const isFew = ids.length <= FEW
    const areNew = expectNew && !isFew && (await this.#areHighest(session, formId, ids))
    let stored = areNew || (expectNew && isFew) ? new Map<number, SqlRow>() : await select(ids)
    const missing = ids.filter((id) => !stored.has(id))
    const rows = missing.map((id) => [
      ...(entries.get(id) as Entry).values,
      this.#workspaceId,
      syncedAt,
      null,
    ])
    if (!expectNew || !isFew) {
      await insertMany(session, this.#names.responses, COLUMNS, rows)
      return { inserted: new Set(missing), stored }
    }
    const inserted =
      rows.length === 1
        ? // Faster than to return the id.
          new Set(
            (await session.run(this.#insertOne, rows[0] as SqlValue[], 'formwire_insert')) === 1 ? ids : [],
          )
        : await insertMissing(session, this.#names.responses, COLUMNS, rows)
    if (inserted.size < ids.length) stored = await select(ids.filter((id) => !inserted.has(id)))
    return { inserted, stored }
  }

  /** Whether all ids are above those of the form's rows, so that none of them exists. */
  async #areHighest(session: Session, formId: string, ids: readonly number[]): Promise<boolean> {
    const [row] = await session.query(
      `SELECT max(id) AS highest FROM ${this.#names.responses} WHERE ${OF_FORM}`,
      this.#key(formId),
    )
    return row?.highest === null || Number(row?.highest) < Math.min(...ids)
  }

  async #update(session: Session, values: readonly SqlValue[], syncedAt: string): Promise<void> {
    const [formId, id, ...content] = values
    const assignments = RESPONSE_COLUMNS.slice(2).map((name) => `${name} = ?`)
    await session.query(
      `UPDATE ${this.#names.responses} SET ${assignments.join(', ')}, synced_at = ?, deleted_at = NULL WHERE ${OF_FORM} AND id = ?`,
      [...content, syncedAt, formId as string, this.#workspaceId, id as number],
    )
  }

  #select(session: Session, formId: string, ids: readonly number[]): Promise<SqlRow[]> {
    const list = padded(ids)
    return session.query(
      `SELECT ${RESPONSE_COLUMNS.join(', ')}, deleted_at FROM ${this.#names.responses}
        WHERE ${OF_FORM} AND id IN (${marks(list.length)})`,
      [...this.#key(formId), ...list],
    )
  }

  /** Records the checkpoint, and that the form was read completely, in one statement. */
  async #saveState(
    session: Session,
    formId: string,
    checkpoint: PollState | undefined,
    isEqual: boolean,
  ): Promise<void> {
    const values: Record<string, SqlValue> = {
      ...(checkpoint ? { poll_state: JSON.stringify(checkpoint) } : {}),
      ...(isEqual ? { synced_at: iso(this.#now()), error: null, error_at: null } : {}),
    }
    if (Object.keys(values).length > 0)
      await session.query(...upsertState(this.#names.state, this.#key(formId), values))
  }

  #key(formId: string): FormKey {
    return [this.#store.dialect.text(formId), this.#workspaceId]
  }
}

/** Whether a row lacks what completes it although the service was asked, so that it is not asked again. */
function isSettled({ complete, isSubmitted, values }: Entry): boolean {
  return complete && isSubmitted && values[STARTED_AT] === null
}

function withoutNulls(response: KnownResponse): Partial<KnownResponse> {
  return Object.fromEntries(
    Object.entries(response).filter(([, value]) => value !== null && value !== undefined),
  ) as Partial<KnownResponse>
}
