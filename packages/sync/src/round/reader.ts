import type { FormResponse } from '@formwire/contract'
import type { Formwire, PollState } from '@formwire/sdk'
import { isCheckpointError, isValidationError, PaginationError } from '@formwire/sdk'
import { sortKey } from '../rows/row.ts'
import type { FormTable } from '../store/form-table.ts'
import type { RowChange } from '../store/scope.ts'
import { type KeyRange, rangeFrom } from '../store/statements.ts'
import type { Tables } from '../store/tables.ts'
import type { WriteOptions } from '../store/writes.ts'

/** Pages per transaction of a long list. */
const PAGES_PER_SAVE = 5

/** What a form is read with. */
export interface ReaderContext {
  formwire: Formwire
  // biome-ignore lint/suspicious/noExplicitAny: the transaction is that of the store, which the reader never uses
  tables: Tables<any>
  /** Responses per request. */
  perPage: number
  /** Creates or checks the tables, once the service has accepted the key. */
  prepare(): Promise<void>
  now(): number
  signal: AbortSignal | undefined
  onChanges(changes: readonly RowChange[]): void
  onProgress?(formId: string, written: number): void
  /** Called with the number of submitted responses that a list says. */
  onTotal?(formId: string, total: number): void
  onFormLost?(formId: string): void
  /** Whether to stop at the next checkpoint, by throwing {@link Interrupted}. */
  isOver?(): boolean
}

/** A long list was left at a checkpoint, from which the next round of the form continues. */
export class Interrupted extends Error {}

/** The counts of the table and of the service for the same range at the same time. */
export interface Observation {
  local: number
  service: number
  /** `local − service`. */
  difference: number
}

/** Reads the submitted responses of one form into the table. */
export class FormReader {
  readonly context: ReaderContext
  readonly table: FormTable<unknown>
  readonly #formId: string
  #checkpoint: PollState | undefined

  constructor(context: ReaderContext, table: FormTable<unknown>, checkpoint: PollState | undefined) {
    this.context = context
    this.table = table
    this.#formId = table.scope.formId
    this.#checkpoint = checkpoint
  }

  /**
   * Reads every response after the checkpoint, oldest first. Rows and checkpoint are written together, so that a crash repeats
   * nothing. Memory does not depend on the number of responses.
   */
  async backlog(): Promise<void> {
    const { formwire, signal, perPage } = this.context
    let buffer: FormResponse[] = []
    let written = 0
    // Not later than any request: a row that was marked deleted since then stays deleted.
    const readAt = this.context.now()
    try {
      const responses = formwire.responses.pollBatches(this.#formId, {
        once: true,
        per_page: perPage,
        saveEvery: PAGES_PER_SAVE * perPage,
        signal,
        checkpoint: {
          load: () => this.#checkpoint,
          save: async (_key, checkpoint) => {
            const rows = buffer
            buffer = []
            await this.#write(rows, { readAt, checkpoint, expectNew: true })
            this.#checkpoint = checkpoint
            written += rows.length
            this.context.onProgress?.(this.#formId, written)
            if (this.context.isOver?.()) throw new Interrupted('The list was left at a checkpoint.')
          },
        },
      })
      for await (const batch of responses) buffer.push(...batch)
    } catch (error) {
      // The poll wraps what the store throws.
      throw isCheckpointError(error) && error.cause !== undefined ? error.cause : error
    }
    signal?.throwIfAborted()
  }

  /**
   * Reads the newest page of the responses since an instant, writes it, and compares the counts. If the page does not reach the
   * checkpoint, reads the backlog first, so that new responses are never counted as a difference.
   *
   * @param isEqual whether a difference means that the form was read completely, which is then recorded
   */
  async observe(since?: string, isEqual?: (difference: number) => boolean): Promise<Observation> {
    for (let attempt = 1; ; attempt += 1) {
      const readAt = this.context.now()
      const page = await this.#list(since, 1)
      const { total } = page.meta
      const isCovered = this.#reachesCheckpoint(page.data, total, since)
      if (!isCovered && attempt <= 3) {
        await this.backlog()
        continue
      }
      const checkpoint = isCovered ? this.#after(page.data) : undefined
      // Oldest first, as onResponse receives them.
      const { count } = await this.#write(page.data.toReversed(), {
        readAt,
        checkpoint,
        count: rangeFrom(since),
        isEqual: isEqual && ((count) => isEqual(count - total)),
      })
      if (since === undefined) this.context.onTotal?.(this.#formId, total)
      if (checkpoint) this.#checkpoint = checkpoint
      return { local: count, service: total, difference: count - total }
    }
  }

  /**
   * Reads all responses of a range into the table. Returns the ids of rows that were in the table before and that the service does
   * not list: nothing that exists is skipped, whatever is added or deleted meanwhile.
   *
   * @param range `since` is the instant that `from` is the key of.
   * @param newer how many responses are newer than the range, about.
   * @param reports whether to report the progress.
   */
  async readRange(
    range: KeyRange & { since: string | undefined },
    newer: number,
    reports: boolean,
  ): Promise<number[]> {
    const { perPage } = this.context
    const before = await this.table.ids(range)
    const readAt = this.context.now()
    const { list } = await this.#listFrom(range, newer)
    const listed = new Set<number>()
    let buffer: FormResponse[] = []
    const flush = async (): Promise<void> => {
      const rows = buffer
      buffer = []
      if (rows.length > 0) await this.#write(rows, { readAt })
      if (reports) this.context.onProgress?.(this.#formId, newer + listed.size)
    }
    for await (const response of list) {
      listed.add(response.id)
      buffer.push(response)
      if (buffer.length >= PAGES_PER_SAVE * perPage) await flush()
    }
    await flush()
    return before.filter((id) => !listed.has(id))
  }

  /**
   * Returns a list that begins at or before the first response of a range. Rows before the range may have been deleted since they
   * were counted, so the page must begin with a newer row, or be the first. In an object, since the list itself is a promise too.
   */
  async #listFrom(
    { since, to }: KeyRange & { since: string | undefined },
    newer: number,
  ): Promise<{ list: AsyncIterable<FormResponse> }> {
    const { perPage } = this.context
    for (let page = Math.floor(newer / perPage) + 1; ; page -= 1) {
      const list = this.#list(since, page)
      let first: Awaited<typeof list>
      try {
        first = await list
      } catch (error) {
        // Some deployments reject a page past the end.
        if (page > 1 && isValidationError(error) && (error.field === undefined || error.field === 'page'))
          continue
        throw error
      }
      if (first.meta.page !== page)
        throw new PaginationError(
          `Requested page ${page}, got page ${first.meta.page}; the list ignores "page".`,
        )
      const [newest] = first.data
      const startsBefore = newest !== undefined && to !== undefined && keyOf(newest) >= to
      if (page === 1 || startsBefore) return { list }
      // Far past the end after many deletions: one step goes to the last page.
      if (!newest) page = Math.max(2, Math.min(page, Math.ceil(first.meta.total / perPage) + 1))
    }
  }

  /** Writes responses that were read on their own. Returns how many rows changed. */
  async write(responses: readonly FormResponse[], readAt: number): Promise<number> {
    return (await this.#write(responses, { readAt })).changed
  }

  async #write(
    rows: readonly FormResponse[],
    options: WriteOptions,
  ): Promise<{ count: number; changed: number }> {
    this.context.signal?.throwIfAborted()
    const { changes, count } = await this.table.write(rows, options)
    this.context.onChanges(changes)
    return { count, changed: changes.length }
  }

  #list(since: string | undefined, page: number) {
    const { formwire, signal, perPage } = this.context
    return formwire.responses.list(
      this.#formId,
      { ...(since === undefined ? {} : { since }), page, per_page: perPage },
      { signal },
    )
  }

  /** Whether every response newer than the checkpoint is on the newest page. */
  #reachesCheckpoint(rows: readonly FormResponse[], total: number, since: string | undefined): boolean {
    const position = this.#checkpoint && sortKey(this.#checkpoint.since)
    const isWhole = rows.length >= total
    if (since === undefined && isWhole) return true
    if (position === undefined) return false
    const oldest = rows.at(-1)
    if (oldest && keyOf(oldest) < position) return true
    return isWhole && since !== undefined && sortKey(since) <= position
  }

  /** Returns the checkpoint after the newest page. */
  #after(rows: readonly FormResponse[]): PollState | undefined {
    const before = this.#checkpoint
    const newest = rows.reduce<string | undefined>(
      (key, row) => (key === undefined || keyOf(row) > key ? keyOf(row) : key),
      undefined,
    )
    if (newest === undefined) return undefined
    const position = before && sortKey(before.since)
    if (position !== undefined && newest < position) return undefined
    const tied = rows.filter((row) => keyOf(row) === newest)
    const ids = new Set(tied.map(({ id }) => id))
    if (before && position === newest) {
      if (tied.every(({ id }) => before.ids.includes(id))) return undefined
      for (const id of before.ids) ids.add(id)
    }
    return { version: 1, since: tied[0]?.submitted_at as string, ids: [...ids] }
  }
}

function keyOf({ submitted_at }: FormResponse): string {
  return sortKey(submitted_at ?? '')
}
