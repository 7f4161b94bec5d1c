import type { SyncStore } from '../database/driver.ts'

/** What the fleet remembers of a form that it has read. */
interface Memory {
  /** `response_count` of the listed form when it was last read; missing while it is read, and after a delivery. */
  count?: number | null
  /** When everything was last read, drafts included, in milliseconds since the epoch. */
  turn: number
  /** The job that is reading it. */
  reader?: string
}

/** A form of the last list, with what is remembered of it. */
export interface KnownForm {
  id: string
  isMoved: boolean
  turn: number
}

/** Remembers in `formwire_sync_state.seen` which listed forms were read, for all workers of a workspace. */
export class SeenForms<Transaction> {
  readonly #store: SyncStore<Transaction>
  readonly #now: () => number

  constructor(store: SyncStore<Transaction>, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /** Returns the forms that exist, with what is remembered of them. */
  async known(): Promise<KnownForm[]> {
    const rows = await this.#store.read(
      `SELECT f.id, f.response_count, s.seen FROM formwire_forms AS f
        LEFT JOIN formwire_sync_state AS s ON s.form_id = f.id WHERE f.deleted_at IS NULL`,
    )
    return rows.map(({ id, response_count, seen }) => {
      const { count, turn } = memoryOf(seen)
      return { id: String(id), isMoved: count === undefined || count !== numberOf(response_count), turn }
    })
  }

  /**
   * Notes that a job reads a form. Returns the `response_count` of its last list and when everything was last read, or `undefined` if the
   * form is lost.
   */
  async begin(id: string, reader: string): Promise<{ count: number | null; turn: number } | undefined> {
    return await this.#store.transaction(id, async (session) => {
      const [row] = await session.query(
        `SELECT f.response_count, s.seen FROM formwire_forms AS f
          LEFT JOIN formwire_sync_state AS s ON s.form_id = f.id WHERE f.id = ? AND f.deleted_at IS NULL`,
        [id],
      )
      if (!row) return undefined
      const { turn } = memoryOf(row.seen)
      await session.query(
        `INSERT INTO formwire_sync_state (form_id, seen) VALUES (?, ?)
          ON CONFLICT (form_id) DO UPDATE SET seen = excluded.seen`,
        [id, JSON.stringify({ turn, reader } satisfies Memory)],
      )
      return { count: numberOf(row.response_count), turn }
    })
  }

  /** Records that a form was read, unless a delivery arrived or another job began meanwhile. */
  async finish(
    id: string,
    reader: string,
    { count, turn, complete }: { count: number | null; turn: number; complete: boolean },
  ): Promise<void> {
    const now = this.#now()
    const reading = JSON.stringify({ turn, reader } satisfies Memory)
    const seen = JSON.stringify({ turn: complete ? now : turn, count } satisfies Memory)
    await this.#store.transaction(id, (session) =>
      session.query(
        `UPDATE formwire_sync_state SET seen = CASE WHEN seen = ? THEN ? ELSE seen END,
          synced_at = ?, error = NULL, error_at = NULL WHERE form_id = ?`,
        [reading, seen, new Date(now).toISOString(), id],
      ),
    )
  }

  /** Records why a form could not be read. */
  async fail(id: string, code: string): Promise<void> {
    await this.#store.transaction(id, (session) =>
      session.query('UPDATE formwire_sync_state SET error = ?, error_at = ? WHERE form_id = ?', [
        code,
        new Date(this.#now()).toISOString(),
        id,
      ]),
    )
  }

  /** Has the next round read a form whatever its count: a delivery of it arrived, or it was lost. */
  async forget(id: string): Promise<void> {
    await this.#store.transaction(id, (session) =>
      session.query('UPDATE formwire_sync_state SET seen = NULL WHERE form_id = ? AND seen IS NOT NULL', [
        id,
      ]),
    )
  }
}

function memoryOf(seen: unknown): Memory {
  return typeof seen === 'string' ? (JSON.parse(seen) as Memory) : { turn: 0 }
}

function numberOf(count: unknown): number | null {
  return count === null ? null : Number(count)
}
