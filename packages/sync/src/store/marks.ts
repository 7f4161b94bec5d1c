import type { SqlValue, SyncStore } from '../database/driver.ts'
import { namesOf, type TableNames } from './names.ts'
import { BATCH, type FormKey, insertMissing, iso, marks, OF_FORM, padded, upsertState } from './statements.ts'
import type { RowChange } from './writes.ts'

/** What to do with the row of a deleted response: set `deleted_at` only, or also clear email, score, answers and meta. */
export type DeletedRows = 'mark' | 'erase'

/** What the respondent gave. */
const ERASED = 'email = NULL, score = NULL, max_score = NULL, answers = NULL, meta = NULL'

/** How far a full read is, newest responses first. */
export interface Slice {
  startedAt: number
  /** Sort key of the oldest response that was read. */
  to: string
}

/** Marks what is known about the rows of one workspace: deleted, erased, settled, completely read. Every method is one transaction. */
export class Marks<Transaction> {
  readonly #store: SyncStore<Transaction>
  readonly #workspaceId: string
  readonly #names: TableNames
  readonly #deleted: DeletedRows
  readonly #now: () => number

  constructor(store: SyncStore<Transaction>, workspaceId: string, deleted: DeletedRows, now: () => number) {
    this.#store = store
    this.#workspaceId = workspaceId
    this.#names = namesOf(store.dialect)
    this.#deleted = deleted
    this.#now = now
  }

  /** Records that everything was read. */
  async setFullAt(formId: string, at: number): Promise<void> {
    const values = { full_at: iso(at), slice: null, synced_at: iso(this.#now()), error: null, error_at: null }
    await this.#upsert(formId, values)
  }

  /** Records why a form could not be read. */
  async setError(formId: string, error: string): Promise<void> {
    await this.#upsert(formId, { error: this.#store.dialect.text(error), error_at: iso(this.#now()) })
  }

  /**
   * Records how far a full read is, or that it is done, unless another process has gone on with it since.
   *
   * @param before what the state of the form says of it. @param fullAt when it began, if it is done. Returns what the state says now,
   * or false if nothing was recorded.
   */
  async advance(
    formId: string,
    before: string | undefined,
    after: Slice | { fullAt: number },
  ): Promise<string | undefined | false> {
    const slice = 'to' in after ? JSON.stringify(after) : null
    const done = 'to' in after ? [] : [iso(after.fullAt)]
    const changed = await this.#store.transaction(formId, (session) =>
      session.run(
        `UPDATE ${this.#names.state} SET slice = ?${done.map(() => ', full_at = ?').join('')}
          WHERE ${OF_FORM} AND slice IS NOT DISTINCT FROM ?`,
        [slice, ...done, ...this.#key(formId), before ?? null],
      ),
    )
    return changed > 0 && (slice ?? undefined)
  }

  /** Gives up completing rows, which stay as the webhook wrote them. */
  async settle(formId: string, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return
    const rows = ids.map((id) => [...this.#key(formId), id])
    await this.#store.transaction(formId, (session) =>
      insertMissing(session, this.#names.settled, ['form_id', 'workspace_id', 'id'], rows),
    )
  }

  /** Sets `deleted_at` of live rows, and clears them under `erase`. */
  markDeleted(formId: string, ids: readonly number[]): Promise<RowChange[]> {
    return this.#store.transaction(formId, async (session) => {
      const changes: RowChange[] = []
      const erased = this.#deleted === 'erase' ? `, ${ERASED}` : ''
      for (let start = 0; start < ids.length; start += BATCH) {
        const batch = padded(ids.slice(start, start + BATCH))
        const where = `${OF_FORM} AND id IN (${marks(batch.length)})`
        const parameters = [...this.#key(formId), ...batch]
        const rows = await session.query(
          `SELECT id, status FROM ${this.#names.responses} WHERE deleted_at IS NULL AND ${where}`,
          parameters,
        )
        const now = iso(this.#now())
        await session.query(
          `UPDATE ${this.#names.responses} SET deleted_at = ?, synced_at = ?${erased} WHERE deleted_at IS NULL AND ${where}`,
          [now, now, ...parameters],
        )
        for (const { id, status } of rows)
          changes.push({ kind: 'deleted', formId, id: Number(id), status: String(status) })
      }
      return changes
    })
  }

  /** Sets `deleted_at` of rows, live or not, and clears what the respondents gave. Returns how many rows there were. */
  async erase(formId: string, ids: readonly number[]): Promise<number> {
    return await this.#store.transaction(formId, async (session) => {
      let erased = 0
      for (let start = 0; start < ids.length; start += BATCH) {
        const batch = padded(ids.slice(start, start + BATCH))
        const now = iso(this.#now())
        erased += await session.run(
          `UPDATE ${this.#names.responses} SET deleted_at = coalesce(deleted_at, ?), synced_at = ?, ${ERASED}
            WHERE ${OF_FORM} AND id IN (${marks(batch.length)})`,
          [now, now, ...this.#key(formId), ...batch],
        )
      }
      return erased
    })
  }

  /** Clears what respondents gave in rows that were marked by an earlier run without `erase`. */
  async eraseMarked(formId: string): Promise<void> {
    if (this.#deleted !== 'erase') return
    await this.#store.transaction(formId, (session) =>
      session.query(
        `UPDATE ${this.#names.responses} SET synced_at = ?, ${ERASED} WHERE ${OF_FORM} AND deleted_at IS NOT NULL AND answers IS NOT NULL`,
        [iso(this.#now()), ...this.#key(formId)],
      ),
    )
  }

  #upsert(formId: string, values: Readonly<Record<string, SqlValue>>): Promise<unknown> {
    return this.#store.transaction(formId, (session) =>
      session.query(...upsertState(this.#names.state, this.#key(formId), values)),
    )
  }

  #key(formId: string): FormKey {
    return [this.#store.dialect.text(formId), this.#workspaceId]
  }
}
