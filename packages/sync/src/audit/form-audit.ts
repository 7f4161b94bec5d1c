import { isDeepStrictEqual } from 'node:util'
import type { FormResponse } from '@formwire/contract'
import { newestFirst } from '@formwire/internal/newest-first'
import type { Formwire } from '@formwire/sdk'
import type { Dialect } from '../database/dialect.ts'
import type { SqlRow, SqlValue } from '../database/driver.ts'
import { isGone } from '../round/errors.ts'
import { differingColumns, responseValues, sortKey } from '../rows/row.ts'
import type { AuditRange, AuditReads } from '../store/audit-reads.ts'
import type { ViewDefinition } from '../store/views.ts'
import { contentOfRow, contentOfValues } from './hash.ts'
import type { FormAudit } from './result.ts'
import { Tally } from './tally.ts'
import { ViewAudit } from './view-audit.ts'

/** Responses per request (ENV-06). */
const PER_PAGE = 100

/** Differences of a form that are read again. One more difference does not change the result. */
const MAX_CONFIRMED = 100

/** Readings of a form while responses are deleted and rows without a response are found. */
const MAX_READINGS = 3

/** What the audit of a form needs. */
export interface FormAuditContext {
  formwire: Formwire
  reads: AuditReads
  dialect: Dialect
  view(formId: string): Promise<ViewDefinition | undefined>
  /** Whether drafts have rows. Undefined if the table shows it. */
  drafts: boolean | undefined
  /** Whether rows of deleted responses are marked. */
  deletions: boolean
  signal: AbortSignal | undefined
  onProgress(formId: string, read: number, total: number): void
}

/** Compares one form. Throws if the form does not exist. */
export async function auditForm(context: FormAuditContext, formId: string): Promise<FormAudit> {
  for (let reading = 1; ; reading += 1) {
    const audit = new Reading(context, formId)
    if ((await audit.read()) || reading === MAX_READINGS) return audit.tally.result(formId)
  }
}

/** Reports the rows of a form that does not exist. */
export async function auditUnknownForm(context: FormAuditContext, formId: string): Promise<FormAudit> {
  const tally = new Tally()
  const add = (row: SqlRow): void => tally.extra(Number(row.id), contentOfRow(row, context.dialect))
  for await (const rows of context.reads.rows(formId, { after: undefined, upTo: undefined }))
    for (const row of rows) add(row)
  for (const row of await context.reads.undatedRows(formId)) add(row)
  return tally.result(formId)
}

/** One reading of a form. Its instant is that of the first request. */
class Reading {
  readonly tally = new Tally()
  readonly #context: FormAuditContext
  readonly #formId: string
  readonly #view: ViewAudit
  #confirmed = 0

  constructor(context: FormAuditContext, formId: string) {
    this.#context = context
    this.#formId = formId
    this.#view = new ViewAudit(
      context.reads,
      context.dialect,
      () => context.view(formId),
      (difference, count) => this.tally.view(difference, count),
    )
  }

  /** Returns false if rows without a response were found and it cannot be told whether they had one when the reading began. */
  async read(): Promise<boolean> {
    const { reads, deletions } = this.#context
    const markedBefore = await reads.deletedCount(this.#formId)
    await this.#view.start()
    const { vanished } = await this.#submitted()
    const vanishedDrafts = await this.#drafts()
    await this.#view.end()
    const { extras } = this.tally
    if (extras === 0 || !deletions || (vanished <= 0 && vanishedDrafts <= 0)) return true
    // Responses that were deleted before their page was read, and whose rows are not marked yet.
    const marked = (await reads.deletedCount(this.#formId)) - markedBefore
    if (vanishedDrafts > 0 || extras > vanished - marked) return false
    this.tally.dropExtras()
    return true
  }

  /** Compares the submitted responses. Returns how many of the first total were not listed. */
  async #submitted(): Promise<{ vanished: number }> {
    const { formwire, signal, onProgress } = this.#context
    const list = (since: string | undefined, page: number) =>
      formwire.responses.list(
        this.#formId,
        { ...(since === undefined ? {} : { since }), page, per_page: PER_PAGE },
        { signal },
      )
    const newest = list(undefined, 1)
    const first = await newest
    const { total } = first.meta
    let upTo = first.data.map(keyOf).toSorted().at(-1)
    await this.#extraRows(upTo)
    let held: FormResponse[] = []
    let read = 0
    const pages = newestFirst(list, { since: undefined, newest, areDrafts: false, instantOf: keyOf })
    for await (const page of pages) {
      signal?.throwIfAborted()
      read += page.length
      held.push(...page)
      // Other responses of the oldest instant may be on the next page.
      const oldest = keyOf(page.at(-1) as FormResponse)
      const whole = held.filter((response) => keyOf(response) > oldest)
      if (whole.length > 0) {
        await this.#compareRange(whole, { after: oldest, upTo })
        upTo = oldest
        held = held.filter((response) => keyOf(response) === oldest)
      }
      onProgress(this.#formId, read, Math.max(read, total))
    }
    if (upTo !== undefined) await this.#compareRange(held, { after: undefined, upTo })
    return { vanished: total - read }
  }

  /** Rows that are newer than every response, or have no instant. */
  async #extraRows(newest: string | undefined): Promise<void> {
    const { reads } = this.#context
    for await (const rows of reads.rows(this.#formId, { after: newest, upTo: undefined }))
      for (const row of rows) await this.#resolve(row, undefined)
    for (const row of await reads.undatedRows(this.#formId)) await this.#resolve(row, undefined)
  }

  async #compareRange(responses: readonly FormResponse[], range: AuditRange): Promise<void> {
    const { reads } = this.#context
    const left = new Map(responses.map((response) => [response.id, response]))
    for await (const rows of reads.rows(this.#formId, range)) {
      const equal: SqlRow[] = []
      for (const row of rows) {
        const response = left.get(Number(row.id))
        left.delete(Number(row.id))
        if (response && this.#isEqual(row, response)) equal.push(row)
        else await this.#resolve(row, response)
      }
      await this.#view.compare(equal)
    }
    const rows = await reads.byId(this.#formId, [...left.keys()])
    for (const [id, response] of left) await this.#resolve(rows.get(id), response)
  }

  /** Compares the drafts, if they are synchronized. Returns how many of the first total were not listed. */
  async #drafts(): Promise<number> {
    const { formwire, reads, drafts, signal } = this.#context
    if (drafts === false) return 0
    const stored = new Set(await reads.draftIds(this.#formId))
    if (drafts === undefined && stored.size === 0) return 0
    const list = formwire.responses.list(
      this.#formId,
      { status: 'in_progress', per_page: PER_PAGE },
      { signal },
    )
    const { total } = (await list).meta
    let read = 0
    let batch: FormResponse[] = []
    const missing: FormResponse[] = []
    let isFound = drafts === true
    const compare = async (): Promise<void> => {
      const rows = await reads.byId(
        this.#formId,
        batch.map(({ id }) => id),
      )
      for (const draft of batch) {
        const row = rows.get(draft.id)
        if (stored.delete(draft.id)) isFound = true
        if (row && this.#isEqual(row, draft)) continue
        if (row || isFound) await this.#resolve(row, draft)
        else if (missing.length < PER_PAGE) missing.push(draft)
      }
      batch = []
    }
    for await (const draft of list) {
      read += 1
      batch.push(draft)
      if (batch.length === PER_PAGE) await compare()
    }
    await compare()
    // A table without any of the drafts does not keep them.
    if (isFound) for (const draft of missing) await this.#resolve(undefined, draft)
    for (const [, row] of await this.#inBatches([...stored])) await this.#resolve(row, undefined)
    return total - read
  }

  async #inBatches(ids: readonly number[]): Promise<Map<number, SqlRow>> {
    const rows = new Map<number, SqlRow>()
    for (let start = 0; start < ids.length; start += PER_PAGE)
      for (const [id, row] of await this.#context.reads.byId(
        this.#formId,
        ids.slice(start, start + PER_PAGE),
      ))
        rows.set(id, row)
    return rows
  }

  /** Counts a row that is equal to its response. */
  #isEqual(row: SqlRow, response: FormResponse): boolean {
    const values = this.#valuesOf(response)
    if (row.deleted_at !== null || differingColumns(row, values, this.#context.dialect).length > 0)
      return false
    this.tally.equal(contentOfValues(values))
    return true
  }

  /** Reads both sides again where they differ, and counts what still does. */
  async #resolve(before: SqlRow | undefined, listed: FormResponse | undefined): Promise<void> {
    const id = Number(before?.id ?? listed?.id)
    if (this.#confirmed >= MAX_CONFIRMED) return this.#count(id, before, listed)
    const now = await this.#get(id)
    const row = (await this.#context.reads.byId(this.#formId, [id])).get(id)
    if (listed) {
      // Deleted or changed since it was listed.
      if (!now || !isDeepStrictEqual(this.#valuesOf(listed), this.#valuesOf(now))) return
      if (row && this.#isEqual(row, listed)) return
      this.#count(id, row, listed)
    } else {
      if (!row || row.deleted_at !== null) return
      // A response that is submitted now is compared where it is listed, or arrived since.
      if (now && !(now.status === 'in_progress' && row.status !== 'in_progress')) return
      this.#count(id, row, now)
    }
    this.#confirmed += 1
  }

  #count(id: number, row: SqlRow | undefined, response: FormResponse | undefined): void {
    const { dialect, deletions } = this.#context
    const rowText = row && contentOfRow(row, dialect)
    if (!response) {
      if (deletions && rowText !== undefined) this.tally.extra(id, rowText)
      return
    }
    const values = this.#valuesOf(response)
    if (!row || rowText === undefined) {
      this.tally.missing(id, contentOfValues(values))
      return
    }
    const columns = differingColumns(row, values, dialect)
    if (row.deleted_at !== null) columns.push('deleted_at')
    if (columns.length > 0) this.tally.different(id, columns, rowText, contentOfValues(values))
  }

  async #get(id: number): Promise<FormResponse | undefined> {
    const { formwire, signal } = this.#context
    try {
      return await formwire.responses.get(this.#formId, id, { signal })
    } catch (error) {
      if (isGone(error)) return undefined
      throw error
    }
  }

  #valuesOf(response: FormResponse): SqlValue[] {
    return responseValues(this.#formId, response, this.#context.dialect)
  }
}

function keyOf({ submitted_at }: FormResponse): string {
  return sortKey(submitted_at ?? '')
}
