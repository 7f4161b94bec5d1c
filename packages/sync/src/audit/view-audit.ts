import { isDeepStrictEqual } from 'node:util'
import type { Answer } from '@formwire/contract'
import type { Dialect } from '../database/dialect.ts'
import type { SqlRow } from '../database/driver.ts'
import { StoreError } from '../errors.ts'
import type { AuditReads } from '../store/audit-reads.ts'
import { fits } from '../store/questions.ts'
import type { ViewDefinition } from '../store/views.ts'
import type { AuditDifference } from './result.ts'

/** Ids of rows in excess that are named. */
const NAMED = 10

/** Compares the view of a form with its table. */
export class ViewAudit {
  readonly #reads: AuditReads
  readonly #dialect: Dialect
  readonly #load: () => Promise<ViewDefinition | undefined>
  #view: ViewDefinition | undefined
  readonly #found: (difference: AuditDifference, count?: number) => void
  /** Whether it cannot be compared row by row: it is missing, or has other columns. */
  #isBroken = false

  constructor(
    reads: AuditReads,
    dialect: Dialect,
    load: () => Promise<ViewDefinition | undefined>,
    found: (difference: AuditDifference, count?: number) => void,
  ) {
    this.#reads = reads
    this.#dialect = dialect
    this.#load = load
    this.#found = found
  }

  /** Compares the columns. A form without rows may have no view. */
  async start(): Promise<void> {
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      this.#view = await this.#load()
      if (!this.#view) return
      const { name, columns } = this.#view
      const actual = await this.#reads.viewColumns(name)
      if (isDeepStrictEqual(actual, columns)) return
      // It may have changed between the two queries.
      if (attempt === 1) continue
      const differing = [...columns, ...actual].filter(
        (column) => !(actual.includes(column) && columns.includes(column)),
      )
      if (actual.length === 0) this.#break([])
      else this.#break(differing.length > 0 ? differing : columns)
    }
  }

  /** Compares what it shows of live rows that have the content of their response. */
  async compare(rows: readonly SqlRow[]): Promise<void> {
    const submitted = rows.filter(({ status }) => status === 'submitted')
    if (this.#isBroken || submitted.length === 0) return
    if (!this.#view) await this.start()
    await this.#guarded(async (view) => {
      const ids = submitted.map(({ id }) => Number(id))
      const differing = await this.#differing(view, ids)
      // A row may have changed between the two queries.
      const still = differing.size === 0 ? differing : await this.#differing(view, [...differing.keys()])
      for (const [id, columns] of still) this.#found({ id, kind: 'view', columns })
      const hidden = submitted.filter((row) => this.#withoutColumn(view, row).length > 0)
      // Columns may have been added since.
      const now = hidden.length === 0 ? view : ((await this.#load()) ?? view)
      for (const row of hidden) {
        const columns = still.has(Number(row.id)) ? [] : this.#withoutColumn(now, row)
        if (columns.length > 0) this.#found({ id: Number(row.id), kind: 'view', columns })
      }
    })
  }

  /** Searches rows that it shows and should not. */
  async end(): Promise<void> {
    if (this.#isBroken) return
    await this.#guarded(async (view) => {
      for (let attempt = 1; attempt <= 2; attempt += 1) {
        const { actual, expected } = await this.#reads.shownCounts(view)
        if (actual === expected) return
        if (attempt === 1) continue
        const ids = await this.#reads.shownInExcess(view, NAMED)
        for (const id of ids) this.#found({ id, kind: 'view', columns: ['id'] })
        const others = Math.abs(actual - expected) - ids.length
        if (others > 0) this.#found({ id: null, kind: 'view', columns: ['id'] }, others)
      }
    })
  }

  /** Returns the columns by id in which the view differs from its definition. */
  async #differing(view: ViewDefinition, ids: readonly number[]): Promise<Map<number, string[]>> {
    const { actual, expected } = await this.#reads.shown(view, ids)
    const shown = new Map(actual.map((row) => [Number(row.id), row]))
    const differing = new Map<number, string[]>()
    for (const row of expected) {
      const other = shown.get(Number(row.id))
      const columns = other
        ? view.columns.filter((name) => !isDeepStrictEqual(row[name], other[name]))
        : ['id']
      if (columns.length > 0) differing.set(Number(row.id), columns)
    }
    return differing
  }

  /** Returns the questions of a row that no column shows. */
  #withoutColumn({ kinds, isFull }: ViewDefinition, row: SqlRow): string[] {
    const answers = this.#dialect.parseJson(row.answers)
    if (!Array.isArray(answers)) return []
    return (answers as Answer[])
      .filter((answer) => typeof answer?.question_id === 'string')
      .map((answer) => ({ ...answer, question_id: this.#dialect.text(answer.question_id) }))
      .filter((answer) => !fits(answer, kinds) && !(isFull && !kinds.has(answer.question_id)))
      .map(({ question_id }) => question_id)
  }

  /** A view that another program has replaced may not be readable at all. */
  async #guarded(work: (view: ViewDefinition) => Promise<void>): Promise<void> {
    if (!this.#view) return
    try {
      await work(this.#view)
    } catch (error) {
      if (error instanceof StoreError) throw error
      this.#break(this.#view.columns)
    }
  }

  #break(columns: readonly string[]): void {
    this.#isBroken = true
    this.#found({ id: null, kind: 'view', columns })
  }
}
