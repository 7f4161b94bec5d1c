import type { Form } from '@formwire/contract'
import type { PollState } from '@formwire/sdk'
import type { Session, SqlRow, SqlValue, SyncStore } from '../database/driver.ts'
import {
  integerOf,
  type KnownResponse,
  RESPONSE_COLUMNS,
  responseOf,
  responseValues,
  textOf,
} from '../rows/row.ts'
import { sameRow } from '../rows/same-row.ts'
import { SORT_KEY_SQL, sortKey } from '../rows/sort-key.ts'
import { Views } from './views.ts'

/** What to do with the row of a deleted response: set `deleted_at` only, or also clear what the respondent gave. */
export type DeletedRows = 'mark' | 'erase'

/** Where the next round of a form continues. */
export interface FormState {
  checkpoint: PollState | undefined
  /** When everything was last read, in ISO 8601. */
  fullAt: string | undefined
}

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

/** A range of sort keys: `from` inclusive, `to` exclusive. */
export interface KeyRange {
  from: string | undefined
  to: string | undefined
}

/** Called inside the transaction when the first submitted row of a response is written. */
export type FirstSubmitted<Transaction> = (
  response: KnownResponse & { complete: boolean },
  transaction: Transaction,
) => unknown

/** Rows per statement. SQLite allows 32,766 parameters. */
const BATCH = 500

/** Rows up to which an insert returns the ids of those that did not exist, which is slow for many. */
const FEW = 10

/** What the service lists without a status. A status that was added later counts as submitted. */
const LIVE = `form_id = ? AND status <> 'in_progress' AND deleted_at IS NULL`

/** What the respondent gave. */
const ERASED = 'email = NULL, score = NULL, max_score = NULL, answers = NULL, meta = NULL'

/** Reads and writes the tables. Every method that writes is one transaction. */
export class Tables<Transaction> {
  readonly #store: SyncStore<Transaction>
  readonly #views: Views
  readonly #deleted: DeletedRows
  readonly #onFirst: FirstSubmitted<Transaction> | undefined
  readonly #now: () => number

  constructor(options: {
    store: SyncStore<Transaction>
    deleted: DeletedRows
    onFirst: FirstSubmitted<Transaction> | undefined
    now: () => number
  }) {
    this.#store = options.store
    this.#deleted = options.deleted
    this.#onFirst = options.onFirst
    this.#now = options.now
    this.#views = new Views(options.store.dialect)
  }

  /** Runs queries outside of a transaction. */
  #reading<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return work({ query: (sql, parameters) => this.#store.read(sql, parameters) })
  }

  /** Returns the state of a form. */
  state(formId: string): Promise<FormState> {
    return this.#reading(async (session) => {
      const [row] = await session.query(
        'SELECT checkpoint, full_at FROM formwire_sync_state WHERE form_id = ?',
        [this.#text(formId)],
      )
      return {
        checkpoint:
          typeof row?.checkpoint === 'string' ? (JSON.parse(row.checkpoint) as PollState) : undefined,
        fullAt: typeof row?.full_at === 'string' ? row.full_at : undefined,
      }
    })
  }

  /** Records that everything was read. */
  setFullAt(formId: string, at: number): Promise<void> {
    return this.#store.transaction(formId, async (session) => {
      await session.query(
        `INSERT INTO formwire_sync_state (form_id, full_at) VALUES (?, ?)
          ON CONFLICT (form_id) DO UPDATE SET full_at = excluded.full_at`,
        [this.#text(formId), iso(at)],
      )
    })
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
      /** Saves a query if most rows do not exist. */
      expectNew?: boolean
    },
  ): Promise<{ changes: RowChange[]; count: number }> {
    return this.#write(formId, async (session, transaction) => {
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
      if (options.checkpoint) await this.#saveCheckpoint(session, formId, options.checkpoint)
      const count = options.count ? await this.#count(session, formId, options.count) : 0
      return { changes, count }
    })
  }

  async #write<Result>(
    formId: string,
    work: (session: Session, transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.#store.transaction(formId, async (session, transaction) => {
        const result = await work(session, transaction)
        await this.#views.remember(session, formId)
        return result
      })
    } catch (error) {
      this.#views.forget(formId)
      throw error
    }
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
    const nowPending: number[] = []
    for (const [id, { response, complete, values, isSubmitted }] of entries) {
      const first = isSubmitted ? response : undefined
      const row = stored.get(id)
      if (inserted.has(id)) {
        if (!complete) nowPending.push(id)
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
        known = { ...responseOf(row, dialect), ...withoutNulls(response), duration_sec: null }
        if (row.pending === null) nowPending.push(id)
        await this.#update(session, responseValues(formId, known, dialect), syncedAt)
      } else {
        if (row.deleted_at !== null && String(row.deleted_at) >= iso(readAt)) continue
        if (row.pending !== null && isSubmitted) await this.#forgetPending(session, formId, id)
        if (row.deleted_at === null && sameRow(row, values, dialect)) continue
        await this.#update(session, values, syncedAt)
      }
      changes.push({ kind: 'updated', formId, id, status: String(values[2]) })
      if (wasDraft && isSubmitted) await this.#onFirst?.({ ...known, complete }, transaction)
    }
    const pendingRows = nowPending.map((id) => [this.#text(formId), id])
    await insertMany(session, 'formwire_sync_pending', ['form_id', 'id'], pendingRows)
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
    const rows = missing.map((id) => [...(entries.get(id) as Entry).values, syncedAt, null])
    const columns = [...RESPONSE_COLUMNS, 'synced_at', 'deleted_at']
    if (!expectNew || !isFew) {
      await insertMany(session, 'formwire_responses', columns, rows)
      return { inserted: new Set(missing), stored }
    }
    const inserted = await insertMissing(session, 'formwire_responses', columns, rows)
    if (inserted.size < ids.length) stored = await select(ids.filter((id) => !inserted.has(id)))
    return { inserted, stored }
  }

  /** Whether all ids are above those of the form's rows, so that none of them exists. */
  async #areHighest(session: Session, formId: string, ids: readonly number[]): Promise<boolean> {
    const [row] = await session.query('SELECT max(id) AS highest FROM formwire_responses WHERE form_id = ?', [
      this.#text(formId),
    ])
    return row?.highest === null || Number(row?.highest) < Math.min(...ids)
  }

  async #update(session: Session, values: readonly SqlValue[], syncedAt: string): Promise<void> {
    const [formId, id, ...content] = values
    const assignments = RESPONSE_COLUMNS.slice(2).map((name) => `${name} = ?`)
    await session.query(
      `UPDATE formwire_responses SET ${assignments.join(', ')}, synced_at = ?, deleted_at = NULL WHERE form_id = ? AND id = ?`,
      [...content, syncedAt, formId as string, id as number],
    )
  }

  #select(session: Session, formId: string, ids: readonly number[]): Promise<SqlRow[]> {
    const list = padded(ids)
    return session.query(
      `SELECT ${RESPONSE_COLUMNS.map((name) => `r.${name}`).join(', ')}, r.deleted_at, p.id AS pending
        FROM formwire_responses AS r LEFT JOIN formwire_sync_pending AS p ON p.form_id = r.form_id AND p.id = r.id
        WHERE r.form_id = ? AND r.id IN (${marks(list.length)})`,
      [this.#text(formId), ...list],
    )
  }

  async #forgetPending(session: Session, formId: string, id: number): Promise<void> {
    await session.query('DELETE FROM formwire_sync_pending WHERE form_id = ? AND id = ?', [
      this.#text(formId),
      id,
    ])
  }

  async #saveCheckpoint(session: Session, formId: string, checkpoint: PollState): Promise<void> {
    await session.query(
      `INSERT INTO formwire_sync_state (form_id, checkpoint) VALUES (?, ?)
        ON CONFLICT (form_id) DO UPDATE SET checkpoint = excluded.checkpoint`,
      [this.#text(formId), JSON.stringify(checkpoint)],
    )
  }

  /** Returns ids of rows that came by webhook and are not complete, oldest first. */
  pending(formId: string, limit: number): Promise<number[]> {
    return this.#reading(async (session) => {
      const rows = await session.query(
        'SELECT id FROM formwire_sync_pending WHERE form_id = ? ORDER BY id LIMIT ?',
        [this.#text(formId), limit],
      )
      return rows.map(({ id }) => Number(id))
    })
  }

  /** Gives up completing rows, which stay as the webhook wrote them. */
  async forgetPendingRows(formId: string, ids: readonly number[]): Promise<void> {
    await this.#store.transaction(formId, async (session) => {
      for (const id of ids) await this.#forgetPending(session, formId, id)
    })
  }

  /** Counts the live submitted rows in a range. */
  count(formId: string, range: KeyRange): Promise<number> {
    return this.#reading((session) => this.#count(session, formId, range))
  }

  async #count(session: Session, formId: string, range: KeyRange): Promise<number> {
    const { where, parameters } = this.#within(formId, range)
    const [row] = await session.query(
      `SELECT count(*) AS number FROM formwire_responses WHERE ${where}`,
      parameters,
    )
    return Number(row?.number)
  }

  /** Returns the ids of the live submitted rows in a range. */
  ids(formId: string, range: KeyRange): Promise<number[]> {
    return this.#reading(async (session) => {
      const { where, parameters } = this.#within(formId, range)
      return (await session.query(`SELECT id FROM formwire_responses WHERE ${where}`, parameters)).map(
        ({ id }) => Number(id),
      )
    })
  }

  /** Returns the `submitted_at` of the row at a position of a range, newest first, from 0. */
  instantAt(formId: string, range: KeyRange, position: number): Promise<string | undefined> {
    return this.#reading(async (session) => {
      const { where, parameters } = this.#within(formId, range)
      const [row] = await session.query(
        `SELECT submitted_at FROM formwire_responses WHERE ${where} ORDER BY ${SORT_KEY_SQL} DESC LIMIT 1 OFFSET ?`,
        [...parameters, position],
      )
      return typeof row?.submitted_at === 'string' ? row.submitted_at : undefined
    })
  }

  /** Returns the ids of the live drafts. */
  draftIds(formId: string): Promise<number[]> {
    return this.#reading(async (session) => {
      const rows = await session.query(
        `SELECT id FROM formwire_responses WHERE form_id = ? AND status = 'in_progress' AND deleted_at IS NULL`,
        [this.#text(formId)],
      )
      return rows.map(({ id }) => Number(id))
    })
  }

  #within(formId: string, { from, to }: KeyRange): { where: string; parameters: SqlValue[] } {
    const parameters: SqlValue[] = [this.#text(formId)]
    let where = LIVE
    if (from !== undefined) {
      where += ` AND ${SORT_KEY_SQL} >= ?`
      parameters.push(from)
    }
    if (to !== undefined) {
      where += ` AND ${SORT_KEY_SQL} < ?`
      parameters.push(to)
    }
    return { where, parameters }
  }

  /** Sets `deleted_at` of live rows, and clears them under `erase`. */
  markDeleted(formId: string, ids: readonly number[]): Promise<RowChange[]> {
    return this.#store.transaction(formId, async (session) => {
      const changes: RowChange[] = []
      const erased = this.#deleted === 'erase' ? `, ${ERASED}` : ''
      for (let start = 0; start < ids.length; start += BATCH) {
        const batch = padded(ids.slice(start, start + BATCH))
        const where = `form_id = ? AND id IN (${marks(batch.length)})`
        const parameters = [this.#text(formId), ...batch]
        const rows = await session.query(
          `SELECT id, status FROM formwire_responses WHERE deleted_at IS NULL AND ${where}`,
          parameters,
        )
        const now = iso(this.#now())
        await session.query(
          `UPDATE formwire_responses SET deleted_at = ?, synced_at = ?${erased} WHERE deleted_at IS NULL AND ${where}`,
          [now, now, ...parameters],
        )
        await session.query(`DELETE FROM formwire_sync_pending WHERE ${where}`, parameters)
        for (const { id, status } of rows)
          changes.push({ kind: 'deleted', formId, id: Number(id), status: String(status) })
      }
      return changes
    })
  }

  /** Clears what respondents gave in rows that were marked by an earlier run without `erase`. */
  async eraseMarked(formId: string): Promise<void> {
    if (this.#deleted !== 'erase') return
    await this.#store.transaction(formId, (session) =>
      session.query(
        `UPDATE formwire_responses SET ${ERASED} WHERE form_id = ? AND deleted_at IS NOT NULL AND answers IS NOT NULL`,
        [this.#text(formId)],
      ),
    )
  }

  /** Writes forms that exist, and creates their views. */
  async writeForms(forms: readonly Form[]): Promise<void> {
    for (const form of forms) {
      await this.#write(form.id, async (session) => {
        await this.#writeForm(session, form)
        await this.#views.update(session, form.id, [])
      })
    }
  }

  async #writeForm(session: Session, form: Form): Promise<void> {
    const { dialect } = this.#store
    const text = (value: unknown): string | null => textOf(value, dialect)
    const values: Record<string, SqlValue> = {
      id: this.#text(form.id),
      title: text(form.title),
      status: text(form.status),
      slug: text(form.slug),
      url: text(form.url),
      published: typeof form.published === 'boolean' ? dialect.boolean(form.published) : null,
      response_count: integerOf(form.response_count),
      response_limit: integerOf(form.response_limit),
      opens_at: text(form.opens_at),
      closes_at: text(form.closes_at),
      created_at: text(form.created_at),
      updated_at: text(form.updated_at),
      synced_at: iso(this.#now()),
      deleted_at: null,
    }
    const names = Object.keys(values)
    const updates = names.slice(1).map((name) => `${name} = excluded.${name}`)
    await session.query(
      `INSERT INTO formwire_forms (${names.join(', ')}) VALUES (${marks(names.length)})
        ON CONFLICT (id) DO UPDATE SET ${updates.join(', ')}`,
      Object.values(values),
    )
  }

  /** Sets `deleted_at` of forms that are lost. Their responses stay. Returns whether the form is in the table. */
  markFormLost(formId: string): Promise<boolean> {
    return this.#store.transaction(formId, async (session) => {
      const now = iso(this.#now())
      await session.query(
        'UPDATE formwire_forms SET deleted_at = ?, synced_at = ? WHERE id = ? AND deleted_at IS NULL',
        [now, now, this.#text(formId)],
      )
      const rows = await session.query('SELECT id FROM formwire_forms WHERE id = ?', [this.#text(formId)])
      return rows.length > 0
    })
  }

  /** Returns the ids of the forms that exist, as far as the table shows. */
  liveForms(): Promise<string[]> {
    return this.#reading(async (session) => {
      const rows = await session.query('SELECT id FROM formwire_forms WHERE deleted_at IS NULL')
      return rows.map(({ id }) => String(id))
    })
  }

  #text(value: string): string {
    return this.#store.dialect.text(value)
  }
}

/** Returns the range from an instant on. */
export function rangeFrom(submittedAt: string | undefined): KeyRange {
  return { from: submittedAt === undefined ? undefined : sortKey(submittedAt), to: undefined }
}

/** Inserts rows that do not exist. */
async function insertMany(
  session: Session,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
): Promise<void> {
  if (rows.length > 0) await session.query(insertSql(table, columns, rows.length), flattened(rows))
}

/** Inserts rows, except for those that exist. Returns the ids of the inserted ones. */
async function insertMissing(
  session: Session,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
): Promise<Set<number>> {
  const sql = `${insertSql(table, columns, rows.length)} ON CONFLICT (form_id, id) DO NOTHING RETURNING id`
  return new Set((await session.query(sql, flattened(rows))).map(({ id }) => Number(id)))
}

/** Faster than `flat()`. */
function flattened(rows: readonly (readonly SqlValue[])[]): SqlValue[] {
  const values: SqlValue[] = []
  for (const row of rows) for (const value of row) values.push(value)
  return values
}

function insertSql(table: string, columns: readonly string[], count: number): string {
  const one = `(${marks(columns.length)})`
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array(count).fill(one).join(', ')}`
}

function marks(count: number): string {
  return Array(count).fill('?').join(', ')
}

/** Repeats the last id up to a few lengths, so that few statements are prepared. */
function padded(ids: readonly number[]): number[] {
  const length = [1, 10, 100, BATCH].find((size) => size >= ids.length) ?? ids.length
  const last = ids.at(-1) ?? 0
  return [...ids, ...Array<number>(length - ids.length).fill(last)]
}

function withoutNulls(response: KnownResponse): Partial<KnownResponse> {
  return Object.fromEntries(
    Object.entries(response).filter(([, value]) => value !== null && value !== undefined),
  ) as Partial<KnownResponse>
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
