import type { PollState } from '@formwire/sdk'
import { cleanText } from '../database/dialect.ts'
import type { Session, SqlRow, SqlValue } from '../database/driver.ts'
import { type KnownResponse, SORT_KEY_SQL } from '../rows/row.ts'
import { explained, type TableNames } from './schema.ts'
import type { FormScope, RowChange } from './scope.ts'
import {
  BATCH,
  countRows,
  iso,
  type KeyRange,
  OF_FORM,
  padded,
  placeholders,
  SUBMITTED,
  upsertState,
  within,
} from './statements.ts'
import { deliverResponse, insertSettled, type WriteOptions, writeResponses } from './writes.ts'

/** What the respondent gave. */
const ERASED = 'email = NULL, score = NULL, max_score = NULL, answers = NULL, meta = NULL'

/** Where the next round of a form continues. */
export interface FormState {
  checkpoint: PollState | undefined
  /** When everything was last read, in ISO 8601. */
  fullAt: string | undefined
  /** How far a full read is that is done in slices, as it is stored. */
  slice: string | undefined
}

/** How far a full read is, newest responses first. */
export interface Slice {
  startedAt: number
  /** Sort key of the oldest response that was read. */
  to: string
}

/** What is remembered of a form that was read, for all processes. */
interface Memory {
  /** `response_count` of the listed form when it was last read; missing while it is read, and after a delivery. */
  count?: number | null
  /** When it was last read, in milliseconds since the epoch, and when its drafts were too. */
  turn: number
  swept?: number
  /** The job that is reading it. */
  reader?: string
}

/** A form that a job reads. */
export interface ListedForm {
  count: number | null
  turn: number
  swept: number
  hasFailed: boolean
}

/** The rows of one form. Reads are outside of transactions; whatever writes does so in one transaction a call. */
export class FormTable<Transaction> {
  readonly scope: FormScope<Transaction>

  constructor(scope: FormScope<Transaction>) {
    this.scope = scope
  }

  #read(sql: string, parameters: readonly SqlValue[]): Promise<SqlRow[]> {
    return this.scope.store.read(sql, parameters, { isQualified: true })
  }

  #write<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.scope.store.transaction(this.scope.formId, work)
  }

  /** Returns where the next round continues. */
  async state(): Promise<FormState> {
    const { names, key } = this.scope
    const sql = `SELECT poll_state, full_at, slice FROM ${names.state} WHERE ${OF_FORM}`
    const [row] = await this.#read(sql, key)
    const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
    const checkpoint = textOf(row?.poll_state)
    return {
      checkpoint: checkpoint === undefined ? undefined : (JSON.parse(checkpoint) as PollState),
      fullAt: textOf(row?.full_at),
      slice: textOf(row?.slice),
    }
  }

  /** Returns ids of rows that came by webhook and are not complete, oldest first. */
  async pending(limit: number): Promise<number[]> {
    const { names, key } = this.scope
    const sql = `SELECT id FROM ${names.responses} AS r WHERE ${OF_FORM} AND started_at IS NULL AND ${SUBMITTED}
        AND NOT EXISTS (SELECT 1 FROM ${names.settled} AS s
          WHERE s.form_id = r.form_id AND s.id = r.id AND s.workspace_id = r.workspace_id)
        ORDER BY id LIMIT ?`
    return idsOf(await this.#read(sql, [...key, limit]))
  }

  /** Counts the live submitted rows in a range. */
  count(range: KeyRange): Promise<number> {
    const { names, key } = this.scope
    return countRows(
      { query: (sql, parameters = []) => this.#read(sql, parameters) },
      names.responses,
      key,
      range,
    )
  }

  /** Returns the ids of the live submitted rows in a range. */
  async ids(range: KeyRange): Promise<number[]> {
    const { where, parameters } = within(this.scope.key, range)
    return idsOf(await this.#read(`SELECT id FROM ${this.scope.names.responses} WHERE ${where}`, parameters))
  }

  /** Returns the `submitted_at` of the row at a position of a range, newest first, from 0. */
  async instantAt(range: KeyRange, position: number): Promise<string | undefined> {
    const { where, parameters } = within(this.scope.key, range)
    const sql = `SELECT submitted_at FROM ${this.scope.names.responses} WHERE ${where} ORDER BY ${SORT_KEY_SQL} DESC LIMIT 1 OFFSET ?`
    const [row] = await this.#read(sql, [...parameters, position])
    return typeof row?.submitted_at === 'string' ? row.submitted_at : undefined
  }

  /** Returns the ids of the live drafts. */
  async draftIds(): Promise<number[]> {
    const { names, key } = this.scope
    const sql = `SELECT id FROM ${names.responses} WHERE ${OF_FORM} AND status = 'in_progress' AND deleted_at IS NULL`
    return idsOf(await this.#read(sql, key))
  }

  /** Writes responses, and with them the checkpoint that covers them. */
  write(responses: readonly KnownResponse[], options: WriteOptions): ReturnType<typeof writeResponses> {
    return writeResponses(this.scope, responses, options)
  }

  /** Writes a response that came by webhook. */
  async deliver(response: KnownResponse): Promise<RowChange[]> {
    try {
      return await deliverResponse(this.scope, response)
    } catch (error) {
      throw await explained(this.scope.store, error)
    }
  }

  /** Records that everything was read. */
  async setFullAt(at: number): Promise<void> {
    const synced_at = iso(this.scope.now())
    await this.#upsert({ full_at: iso(at), slice: null, synced_at, error: null, error_at: null })
  }

  /** Records why the form could not be read. */
  async setError(error: string): Promise<void> {
    await this.#upsert({ error: cleanText(error), error_at: iso(this.scope.now()) })
  }

  /**
   * Records how far a full read is, or that it is done, unless another process has gone on with it since.
   *
   * @param before what the state of the form says of it. @param fullAt when it began, if it is done. Returns what the state says now,
   * or false if nothing was recorded.
   */
  async advance(
    before: string | undefined,
    after: Slice | { fullAt: number },
  ): Promise<string | undefined | false> {
    const { names, key } = this.scope
    const slice = 'to' in after ? JSON.stringify(after) : null
    const done = 'to' in after ? [] : [iso(after.fullAt)]
    const sql = `UPDATE ${names.state} SET slice = ?${done.map(() => ', full_at = ?').join('')}
          WHERE ${OF_FORM} AND slice IS NOT DISTINCT FROM ?`
    const changed = await this.#write(({ run }) => run(sql, [slice, ...done, ...key, before ?? null]))
    return changed > 0 && (slice ?? undefined)
  }

  /** Gives up completing rows, which stay as the webhook wrote them. */
  async settle(ids: readonly number[]): Promise<void> {
    if (ids.length > 0) await this.#write((session) => insertSettled(session, this.scope, ids))
  }

  /** Sets `deleted_at` of live rows, and clears them under `erase`. */
  markDeleted(ids: readonly number[]): Promise<RowChange[]> {
    const { names, key, formId, deleted, now } = this.scope
    return this.#write(async (session) => {
      const changes: RowChange[] = []
      const erased = deleted === 'erase' ? `, ${ERASED}` : ''
      for (let start = 0; start < ids.length; start += BATCH) {
        const batch = padded(ids.slice(start, start + BATCH))
        const where = `deleted_at IS NULL AND ${OF_FORM} AND id IN (${placeholders(batch.length)})`
        const parameters = [...key, ...batch]
        const rows = await session.query(
          `SELECT id, status FROM ${names.responses} WHERE ${where}`,
          parameters,
        )
        const at = iso(now())
        await session.query(
          `UPDATE ${names.responses} SET deleted_at = ?, synced_at = ?${erased} WHERE ${where}`,
          [at, at, ...parameters],
        )
        for (const { id, status } of rows)
          changes.push({ kind: 'deleted', formId, id: Number(id), status: String(status) })
      }
      return changes
    })
  }

  /** Clears what respondents gave in rows that were marked by an earlier run without `erase`. */
  async eraseMarked(): Promise<void> {
    const { names, key, deleted, now } = this.scope
    if (deleted !== 'erase') return
    const sql = `UPDATE ${names.responses} SET synced_at = ?, ${ERASED} WHERE ${OF_FORM} AND deleted_at IS NOT NULL AND answers IS NOT NULL`
    await this.#write(({ query }) => query(sql, [iso(now()), ...key]))
  }

  /**
   * Notes that a job reads the form. Returns the `response_count` of its last list, what is remembered of it and whether the last attempt
   * failed, or `undefined` if the form is lost.
   */
  async begin(reader: string): Promise<ListedForm | undefined> {
    const { names, key } = this.scope
    const sql = `SELECT f.response_count, s.seen, s.error ${withState(names)} WHERE f.id = ? AND f.workspace_id = ? AND f.deleted_at IS NULL`
    return await this.#write(async ({ query }) => {
      const [row] = await query(sql, key)
      if (!row) return undefined
      const { turn, swept = 0 } = memoryOf(row.seen)
      const seen = JSON.stringify({ turn, swept, reader } satisfies Memory)
      await query(...upsertState(names.state, key, { seen }))
      return { count: numberOf(row.response_count), turn, swept, hasFailed: typeof row.error === 'string' }
    })
  }

  /** Records that the form was read, unless a delivery arrived or another job began meanwhile. */
  async finish(reader: string, { count, turn, swept }: ListedForm, complete: boolean): Promise<void> {
    const { names, key } = this.scope
    const now = this.scope.now()
    const reading = JSON.stringify({ turn, swept, reader } satisfies Memory)
    const seen = JSON.stringify({ turn: now, swept: complete ? now : swept, count } satisfies Memory)
    const sql = `UPDATE ${names.state} SET seen = CASE WHEN seen = ? THEN ? ELSE seen END,
          synced_at = ?, error = NULL, error_at = NULL WHERE ${OF_FORM}`
    await this.#write(({ query }) => query(sql, [reading, seen, iso(now), ...key]))
  }

  /** Makes the next round read the form whatever its count: a delivery of it arrived, or it was lost. */
  async forget(): Promise<void> {
    const { names, key } = this.scope
    const sql = `UPDATE ${names.state} SET seen = NULL WHERE ${OF_FORM} AND seen IS NOT NULL`
    await this.#write(({ query }) => query(sql, key))
  }

  #upsert(values: Readonly<Record<string, SqlValue>>): Promise<unknown> {
    return this.#write(({ query }) => query(...upsertState(this.scope.names.state, this.scope.key, values)))
  }
}

const idsOf = (rows: readonly SqlRow[]): number[] => rows.map(({ id }) => Number(id))

/** The forms with their states. */
export const withState = ({ forms, state }: TableNames): string =>
  `FROM ${forms} AS f LEFT JOIN ${state} AS s ON s.form_id = f.id AND s.workspace_id = f.workspace_id`

export function memoryOf(seen: unknown): Memory {
  return typeof seen === 'string' ? (JSON.parse(seen) as Memory) : { turn: 0 }
}

export function numberOf(count: unknown): number | null {
  return count === null ? null : Number(count)
}
