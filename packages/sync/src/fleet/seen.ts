import type { SyncStore } from '../database/driver.ts'
import { namesOf, type TableNames } from '../store/names.ts'
import { type FormKey, OF_FORM, upsertState } from '../store/statements.ts'

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
  readonly #workspaceId: string
  readonly #names: TableNames
  readonly #now: () => number

  constructor(store: SyncStore<Transaction>, workspaceId: string, now: () => number) {
    this.#store = store
    this.#workspaceId = workspaceId
    this.#names = namesOf(store.dialect)
    this.#now = now
  }

  /** Returns the forms that exist, with what is remembered of them. */
  async known(): Promise<KnownForm[]> {
    const rows = await this.#store.read(
      `SELECT f.id, f.response_count, s.seen ${this.#forms} WHERE f.workspace_id = ? AND f.deleted_at IS NULL`,
      [this.#workspaceId],
      { isQualified: true },
    )
    return rows.map(({ id, response_count, seen }) => {
      const { count, turn } = memoryOf(seen)
      return { id: String(id), isMoved: count === undefined || count !== numberOf(response_count), turn }
    })
  }

  /**
   * Notes that a job reads a form. Returns the `response_count` of its last list, when everything was last read and whether the last attempt
   * failed, or `undefined` if the form is lost.
   */
  async begin(
    id: string,
    reader: string,
  ): Promise<{ count: number | null; turn: number; hasFailed: boolean } | undefined> {
    return await this.#store.transaction(id, async (session) => {
      const [row] = await session.query(
        `SELECT f.response_count, s.seen, s.error ${this.#forms} WHERE f.id = ? AND f.workspace_id = ? AND f.deleted_at IS NULL`,
        this.#key(id),
      )
      if (!row) return undefined
      const { turn } = memoryOf(row.seen)
      const seen = JSON.stringify({ turn, reader } satisfies Memory)
      await session.query(...upsertState(this.#names.state, this.#key(id), { seen }))
      return { count: numberOf(row.response_count), turn, hasFailed: typeof row.error === 'string' }
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
        `UPDATE ${this.#names.state} SET seen = CASE WHEN seen = ? THEN ? ELSE seen END,
          synced_at = ?, error = NULL, error_at = NULL WHERE ${OF_FORM}`,
        [reading, seen, new Date(now).toISOString(), ...this.#key(id)],
      ),
    )
  }

  /** Has the next round read a form whatever its count: a delivery of it arrived, or it was lost. */
  async forget(id: string): Promise<void> {
    await this.#store.transaction(id, (session) =>
      session.query(
        `UPDATE ${this.#names.state} SET seen = NULL WHERE ${OF_FORM} AND seen IS NOT NULL`,
        this.#key(id),
      ),
    )
  }

  get #forms(): string {
    const { forms, state } = this.#names
    return `FROM ${forms} AS f LEFT JOIN ${state} AS s ON s.form_id = f.id AND s.workspace_id = f.workspace_id`
  }

  #key(id: string): FormKey {
    return [this.#store.dialect.text(id), this.#workspaceId]
  }
}

function memoryOf(seen: unknown): Memory {
  return typeof seen === 'string' ? (JSON.parse(seen) as Memory) : { turn: 0 }
}

function numberOf(count: unknown): number | null {
  return count === null ? null : Number(count)
}
