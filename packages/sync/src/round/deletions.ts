import { FULL_RANGE_PAGES, SMALL_FORM_PAGES, shouldRead } from '../plan/search.ts'
import { sortKey } from '../rows/row.ts'
import type { FormTable } from '../store/form-table.ts'
import type { KeyRange } from '../store/statements.ts'
import { isGone } from './errors.ts'
import type { FormReader, Observation, ReaderContext } from './reader.ts'

/** A range with the instant that it begins at, as the service wrote it. */
type Range = KeyRange & { since: string | undefined }

const EVERYTHING: Range = { since: undefined, from: undefined, to: undefined }

/** Missing rows of a range up to which each is confirmed by its own 404; more are confirmed by the counts, or by reading the list again. */
const FEW = 5

/** Missing rows of a search above which the counts confirm those of every range. */
const MANY = 100

/** Rounds of a search before the form is read whole. */
const MAX_SEARCHES = 3

/** Finds responses that the table has and the service has not, or the other way round, and confirms deletions. */
export class Deletions {
  readonly #context: ReaderContext
  readonly #table: FormTable<unknown>
  readonly #reader: FormReader
  /** Whether rows may be marked. If not, only rows that the table lacks are searched. */
  readonly #marks: boolean
  /** Missing rows of this search that are not confirmed yet. */
  #missing: number[] = []
  /** Rows that this search has taken from the table, less those that it has added: they no longer count as differences. */
  #corrected = 0
  /** Whether this search has so many differences that single requests for each would cost too much. */
  #isBulk = false

  constructor(reader: FormReader, marks: boolean) {
    this.#context = reader.context
    this.#table = reader.table
    this.#reader = reader
    this.#marks = marks
  }

  /** Compares the counts of a form, and searches until they agree. Returns whether everything was read. */
  async reconcile(): Promise<boolean> {
    for (let search = 1; ; search += 1) {
      const top = await this.#reader.observe(undefined, (difference) => !this.#isSuspect(difference))
      if (!this.#isSuspect(top.difference)) return false
      if (
        Math.max(top.local, top.service) <= SMALL_FORM_PAGES * this.#context.perPage ||
        search > MAX_SEARCHES
      ) {
        await this.readAll(top)
        return true
      }
      await this.#search(top)
    }
  }

  /** Reads every response of the form, in slices that fit into memory, newest first. */
  async readAll(top?: Observation): Promise<void> {
    let to = await this.readSlice(undefined, true, top)
    while (to !== undefined) to = await this.readSlice(to, true)
  }

  /** Reads the responses before a sort key, as many as a slice holds. Returns the key of the oldest one, unless nothing is left. */
  async readSlice(to: string | undefined, reports = false, top?: Observation): Promise<string | undefined> {
    const since = await this.#boundary(to)
    const from = since === undefined ? undefined : sortKey(since)
    const newer = to === undefined ? 0 : await this.#table.count({ from: to, to: undefined })
    // Newer slices are equal by now.
    this.#corrected = 0
    const difference = since === undefined ? top?.difference : undefined
    await this.#readRange({ since, from, to }, { newer, upper: 0, difference, reports })
    await this.#settle()
    return from
  }

  /** Returns the instant at which the next range begins, or `undefined` for the rest. */
  async #boundary(to: string | undefined): Promise<string | undefined> {
    const position = FULL_RANGE_PAGES * this.#context.perPage - 1
    const since = await this.#table.instantAt({ from: undefined, to }, position)
    if (since === undefined) return undefined
    // Ties are never split; the oldest range is not worth one of its own.
    const rest = await this.#table.count({ from: undefined, to: sortKey(since) })
    return rest === 0 ? undefined : since
  }

  /**
   * Reads a range and notes or marks what is missing.
   *
   * @param counts `newer` responses are newer than the range, with the difference `upper`; its own `difference`, if it was observed
   */
  async #readRange(
    range: Range,
    counts: { newer: number; upper: number; difference?: number | undefined; reports?: boolean },
  ): Promise<void> {
    const { newer, upper, difference, reports = false } = counts
    const before = await this.#table.count(range)
    const missing = await this.#reader.readRange(range, newer, reports)
    const added = (await this.#table.count(range)) - before
    this.#corrected -= added
    if (!this.#marks || missing.length === 0) return
    // The counts, which are another HTTP response than the list, agree with it: as many rows are too many as are not listed.
    const excess = missing.length - added
    const agrees = difference === excess
    // An empty list, with counts that agree, is too much to believe at once, and costs one request to read again.
    const isAll = missing.length > MANY && missing.length === before
    if (missing.length <= FEW && !(this.#isBulk && agrees)) this.#missing.push(...missing)
    else if (!isAll && (agrees || excess === (await this.#observe(range.since)).difference - upper))
      await this.#markNow(missing)
    else {
      const again = new Set(await this.#reader.readRange(range, newer, false))
      await this.#markNow(missing.filter((id) => again.has(id)))
    }
  }

  async #markNow(ids: readonly number[]): Promise<void> {
    await this.#mark(ids)
    this.#corrected += ids.length
  }

  /** Compares the counts since an instant, as if this search had corrected nothing yet: its ranges are read newest first. */
  async #observe(since: string | undefined): Promise<Observation> {
    const { local, service, difference } = await this.#reader.observe(since)
    return { local, service, difference: difference + this.#corrected }
  }

  /** Confirms and marks what was noted. */
  async #settle(): Promise<void> {
    const missing = this.#missing
    this.#missing = []
    await this.settle(missing)
  }

  /** Writes those of some rows that exist, and returns the ids for which the service responds with 404, after these were marked. */
  async settle(ids: readonly number[]): Promise<number[]> {
    const { formwire, signal } = this.#context
    const gone: number[] = []
    for (const id of ids) {
      const readAt = this.#context.now()
      try {
        const response = await formwire.responses.get(this.#table.scope.formId, id, { signal })
        await this.#reader.write([response], readAt)
      } catch (error) {
        if (!isGone(error)) throw error
        gone.push(id)
      }
    }
    // A form that was trashed meanwhile gives a 404 for every response, although they may come back: this request fails then.
    if (gone.length > 0) await this.#reader.observe()
    if (this.#marks) await this.#mark(gone)
    return gone
  }

  async #mark(ids: readonly number[]): Promise<void> {
    if (ids.length > 0) this.#context.onChanges(await this.#table.markDeleted(ids))
  }

  /** Without marking, rows that the service lacks are expected. */
  #isSuspect(difference: number): boolean {
    return this.#marks ? difference !== 0 : difference < 0
  }

  async #search(top: Observation): Promise<void> {
    this.#corrected = 0
    this.#isBulk = Math.abs(top.difference) > MANY
    await this.#bisect(EVERYTHING, top, { local: 0, service: 0, difference: 0 })
    await this.#settle()
    this.#isBulk = false
  }

  /** `lower` counts from the beginning of the range on, `upper` from its end on. */
  async #bisect(range: Range, lower: Observation, upper: Observation): Promise<void> {
    const difference = lower.difference - upper.difference
    if (!this.#isSuspect(difference)) return
    const { perPage } = this.#context
    const local = await this.#table.count(range)
    const middle = shouldRead({ local, difference }, perPage, !this.#isBulk)
      ? undefined
      : await this.#middle(range, local)
    if (middle === undefined) {
      const newer = Math.max(0, upper.service)
      await this.#readRange(range, { newer, upper: upper.difference, difference })
      return
    }
    const from = sortKey(middle)
    const split = await this.#observe(middle)
    await this.#bisect({ since: middle, from, to: range.to }, split, upper)
    await this.#bisect({ since: range.since, from: range.from, to: from }, lower, split)
  }

  /** Returns the instant of the row in the middle of a range, or `undefined` if all rows are tied. */
  async #middle(range: Range, local: number): Promise<string | undefined> {
    for (const position of [local >> 1, local >> 2, 0]) {
      const instant = await this.#table.instantAt(range, position)
      if (instant !== undefined && (range.from === undefined || sortKey(instant) > range.from)) {
        // Splitting off nothing would not end.
        const older = await this.#table.count({ from: range.from, to: sortKey(instant) })
        if (older > 0) return instant
      }
    }
    return undefined
  }
}
