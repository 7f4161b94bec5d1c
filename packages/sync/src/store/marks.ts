import type { SyncStore } from '../database/driver.ts'
import { BATCH, insertMissing, iso, marks, padded } from './statements.ts'
import type { RowChange } from './writes.ts'

/** What to do with the row of a deleted response: set `deleted_at` only, or also clear email, score, answers and meta. */
export type DeletedRows = 'mark' | 'erase'

/** What the respondent gave. */
const ERASED = 'email = NULL, score = NULL, max_score = NULL, answers = NULL, meta = NULL'

/** Marks what is known about rows: deleted, erased, settled, completely read. Every method is one transaction. */
export class Marks<Transaction> {
  readonly #store: SyncStore<Transaction>
  readonly #deleted: DeletedRows
  readonly #now: () => number

  constructor(store: SyncStore<Transaction>, deleted: DeletedRows, now: () => number) {
    this.#store = store
    this.#deleted = deleted
    this.#now = now
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

  /** Gives up completing rows, which stay as the webhook wrote them. */
  async settle(formId: string, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return
    const rows = ids.map((id) => [this.#text(formId), id])
    await this.#store.transaction(formId, (session) =>
      insertMissing(session, 'formwire_sync_settled', ['form_id', 'id'], rows),
    )
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
          `UPDATE formwire_responses SET deleted_at = coalesce(deleted_at, ?), synced_at = ?, ${ERASED}
            WHERE form_id = ? AND id IN (${marks(batch.length)})`,
          [now, now, this.#text(formId), ...batch],
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
        `UPDATE formwire_responses SET ${ERASED} WHERE form_id = ? AND deleted_at IS NOT NULL AND answers IS NOT NULL`,
        [this.#text(formId)],
      ),
    )
  }

  #text(value: string): string {
    return this.#store.dialect.text(value)
  }
}
