import type { Answer } from '@formwire/contract'
import { type ColumnKind, type Dialect, quoteName } from '../database/dialect.ts'
import type { Session, SyncStore } from '../database/driver.ts'
import { StoreError } from '../errors.ts'
import { pauseMs } from '../failures.ts'
import { namesOf, type TableNames } from './names.ts'
import { fits, isFull, missing, type Question, Questions } from './questions.ts'
import { OF_FORM } from './statements.ts'
import { FIXED_COLUMNS, viewName } from './view-names.ts'

/** Milliseconds that a write waits for programs that use a view. */
const WRITE_WAIT_MS = 100

/** Milliseconds that the end of a round waits for them, in all; all others that want to use a view wait behind it. */
const ROUND_WAIT_MS = 1_000

/** Failed attempts after which writes try less and less often. */
const QUICK_ATTEMPTS = 2

/** The view of a form that may lack something. */
interface Pending {
  attempts: number
  retryAt: number
  isRunning: boolean
  /** Whether questions were stored since the attempt that runs began. */
  isOutdated: boolean
}

/** What the view of a form must show. */
export interface ViewDefinition {
  name: string
  /** Names of its columns, in order. */
  columns: readonly string[]
  /** Kinds of the columns by question id. */
  kinds: ReadonlyMap<string, ColumnKind>
  /** Whether further questions get no column. */
  isFull: boolean
  /** The query of the view. */
  query: string
}

/**
 * Keeps one view per form of a workspace, with one column per question. A write stores its new questions, and its view follows: in SQLite
 * in the same transaction. In PostgreSQL, programs that read a view hold it until their transaction ends, so the view is changed after the
 * write, and tried again until nobody holds it. What is missing is found by comparing the view with the stored questions.
 */
export class Views {
  readonly #dialect: Dialect
  readonly #workspaceId: string
  readonly #names: TableNames
  readonly #questions: Questions
  /** The questions that are known to be stored. Other processes may have added more. */
  readonly #known = new Map<string, Map<string, ColumnKind>>()
  readonly #pending = new Map<string, Pending>()
  /** Whether views of earlier versions were looked for. */
  #hasFoundWide = false

  constructor(dialect: Dialect, workspaceId: string) {
    this.#dialect = dialect
    this.#workspaceId = workspaceId
    this.#names = namesOf(dialect)
    this.#questions = new Questions(dialect, workspaceId)
  }

  /**
   * Has the views that an earlier version created show the rows of their workspace only: in SQLite in the transaction of the upgrade, in
   * PostgreSQL with the next {@link followAll}.
   */
  async narrowAll(session: Session): Promise<void> {
    if (this.#dialect.findViewColumns) return
    for (const { formId, name } of await this.#wide(session)) {
      await this.#create(session, formId, name, await this.#questions.of(session, formId), { replaces: true })
      await this.#note(session, formId, 'by_workspace')
    }
  }

  /** Returns the views that show the rows of every workspace that has a form of their id. */
  async #wide(session: Pick<Session, 'query'>): Promise<{ formId: string; name: string }[]> {
    const rows = await session.query(
      `SELECT form_id, name FROM ${this.#names.views} WHERE workspace_id = ? AND by_workspace IS NULL`,
      [this.#workspaceId],
    )
    return rows.map(({ form_id, name }) => ({ formId: String(form_id), name: String(name) }))
  }

  /** Runs a transaction that may store questions of a form, and has its view follow. */
  async during<Result, Transaction>(
    store: SyncStore<Transaction>,
    formId: string,
    now: () => number,
    work: (session: Session, transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const known = this.#known.get(formId)
    let result: Result
    try {
      result = await store.transaction(formId, async (session, transaction) => {
        const result = await work(session, transaction)
        await this.#remember(session, formId)
        return result
      })
    } catch (error) {
      // It was rolled back.
      this.#known.delete(formId)
      throw error
    }
    if (this.#dialect.findViewColumns && this.#known.get(formId) !== known) this.#suspect(formId)
    await this.followOne(store, formId, now)
    return result
  }

  /** Has the view of a form be compared with its questions. */
  #suspect(formId: string): void {
    const pending = this.#pending.get(formId) ?? { attempts: 0, retryAt: 0, isRunning: false }
    this.#pending.set(formId, Object.assign(pending, { isOutdated: true }))
  }

  /** Changes the view of a form if it lacks something and it is time to try. Other writes do not wait for that. */
  async followOne<Transaction>(
    store: SyncStore<Transaction>,
    formId: string,
    now: () => number,
  ): Promise<void> {
    const pending = this.#pending.get(formId)
    if (pending && pending.retryAt <= now()) await this.#follow(store, formId, pending, now, WRITE_WAIT_MS)
  }

  /** Tries to change every view that lacks something. */
  async followAll<Transaction>(store: SyncStore<Transaction>, now: () => number): Promise<void> {
    if (this.#dialect.findViewColumns && !this.#hasFoundWide) {
      const query: Session['query'] = (sql, parameters) => store.read(sql, parameters, { isQualified: true })
      for (const { formId } of await this.#wide({ query })) this.#suspect(formId)
      this.#hasFoundWide = true
    }
    const waitMs = Math.ceil(ROUND_WAIT_MS / this.#pending.size)
    for (const [formId, pending] of this.#pending) await this.#follow(store, formId, pending, now, waitMs)
  }

  async #follow<Transaction>(
    store: SyncStore<Transaction>,
    formId: string,
    pending: Pending,
    now: () => number,
    waitMs: number,
  ): Promise<void> {
    if (pending.isRunning) return
    pending.isRunning = true
    try {
      let isDone = true
      while (isDone && pending.isOutdated) {
        pending.isOutdated = false
        isDone = await this.#change(store, formId, waitMs)
      }
      if (isDone) {
        this.#pending.delete(formId)
        return
      }
      pending.isOutdated = true
      pending.attempts += 1
      const slow = pending.attempts - QUICK_ATTEMPTS
      pending.retryAt = slow > 0 ? now() + pauseMs(undefined, slow, Math.random) : 0
    } catch (error) {
      pending.isOutdated = true
      throw error
    } finally {
      pending.isRunning = false
    }
  }

  /** Whether the question of each answer is known to be stored. */
  cover(formId: string, answers: readonly Answer[]): boolean {
    const known = this.#known.get(formId)
    if (known === undefined || !Array.isArray(answers)) return false
    return answers.every((answer) => fits(answer, known))
  }

  /** Stores the questions of some answers. */
  async update(session: Session, formId: string, answers: Iterable<readonly Answer[]>): Promise<void> {
    const known = this.#known.get(formId)
    const found = missing(known, answers)
    if (known && found.size === 0) return
    // Forgotten until the transaction is committed: it may be rolled back.
    this.#known.delete(formId)
    await this.#storeDates(session, formId)
    const isChanged = await this.#questions.store(session, formId, found)
    if (!this.#dialect.findViewColumns) await this.#replace(session, formId, isChanged)
  }

  /** Called at the end of a transaction, with the questions that are in the database now. */
  async #remember(session: Session, formId: string): Promise<void> {
    if (this.#known.has(formId)) return
    const questions = await this.#questions.of(session, formId)
    this.#known.set(formId, new Map(questions.map(({ id, kind }) => [id, kind])))
  }

  /**
   * Returns what the view of a form must show, if the form has a view. Where types of columns follow later, or a view of yours keeps them,
   * dates and timestamps may be texts.
   */
  async definition(session: Pick<Session, 'query'>, formId: string): Promise<ViewDefinition | undefined> {
    const id = this.#dialect.text(formId)
    const [view] = await session.query(`SELECT name FROM ${this.#names.views} WHERE ${OF_FORM}`, [
      id,
      this.#workspaceId,
    ])
    if (!view) return undefined
    const name = String(view.name)
    const questions = await this.#questions.of(session, id)
    const kinds = await this.#columns(session, name)
    const isText = (column: string): boolean => kinds.get(column) === 'text'
    const shown = questions.map((one) =>
      one.kind === 'date' && isText(one.name) ? { ...one, kind: 'text' as const } : one,
    )
    return {
      name,
      columns: [...FIXED_COLUMNS, ...questions.map(({ name }) => name)],
      kinds: new Map(questions.map((question) => [question.id, question.kind])),
      isFull: isFull(questions),
      query: this.#query(id, shown, !isText('submitted_at')),
    }
  }

  /** Finds the questions of dates of a view of an earlier version, where they are texts. */
  async #storeDates(session: Session, formId: string): Promise<void> {
    const { findDates } = this.#dialect
    if (!findDates) return
    const [view] = await session.query(`SELECT typed FROM ${this.#names.views} WHERE ${OF_FORM}`, [
      formId,
      this.#workspaceId,
    ])
    if (!view || view.typed) return
    for (const { id } of await session.query(findDates, [formId, this.#workspaceId]))
      await this.#questions.retype(session, formId, String(id), 'date')
    await this.#note(session, formId, 'typed')
  }

  /** Notes what the definition of a view has. */
  async #note(session: Session, formId: string, column: 'typed' | 'by_workspace'): Promise<void> {
    await session.query(`UPDATE ${this.#names.views} SET ${column} = ? WHERE ${OF_FORM}`, [
      this.#dialect.boolean(true),
      formId,
      this.#workspaceId,
    ])
  }

  /** Creates the view of a form in a transaction that stores questions, or replaces it if they changed. */
  async #replace(session: Session, formId: string, isChanged: boolean): Promise<void> {
    const { name } = await this.#view(session, formId)
    if (isChanged || (await session.query(this.#dialect.findRelation, [name])).length === 0)
      await this.#create(session, formId, name, await this.#questions.of(session, formId), { replaces: true })
  }

  /** Gives the view of a form what it lacks, in a transaction of its own. Returns whether nothing is left. */
  async #change<Transaction>(
    store: SyncStore<Transaction>,
    formId: string,
    waitMs: number,
  ): Promise<boolean> {
    // If a view of yours keeps a column from becoming text, columns can still be added.
    for (const keepsTypes of [false, true]) {
      let isNew = false
      try {
        return await store.transaction(
          `view ${formId}`,
          async (session) => {
            const view = await this.#view(session, formId)
            const columns = await this.#columns(session, view.name)
            isNew = columns.size === 0
            return await this.#alter(session, formId, { ...view, columns, keepsTypes })
          },
          { waitMs },
        )
      } catch (error) {
        if (error instanceof StoreError && (error.isPassing || error.code === 'closed')) return false
        if (isNew ? !isNameTaken(error) : !isInUse(error)) throw error
      }
    }
    return false
  }

  async #alter(
    session: Session,
    formId: string,
    view: { name: string; isWide: boolean; columns: ReadonlyMap<string, string>; keepsTypes: boolean },
  ): Promise<boolean> {
    const { name, isWide, columns, keepsTypes } = view
    const questions = await this.#questions.of(session, formId)
    const isNew = columns.size === 0
    const isTyped = isNew || columns.get('submitted_at') === 'timestamp'
    const differs = (one: Question): boolean => (columns.get(one.name) ?? one.kind) !== one.kind
    const hasOtherTypes = !isTyped || questions.some(differs)
    if (hasOtherTypes && !keepsTypes) {
      await this.#create(session, formId, name, questions, { replaces: true })
      if (isWide) await this.#note(session, formId, 'by_workspace')
      return true
    }
    if (isNew || isWide || questions.some((one) => !columns.has(one.name))) {
      const shown = questions.map((one) => ({
        ...one,
        kind: (columns.get(one.name) ?? one.kind) as ColumnKind,
      }))
      await this.#create(session, formId, name, shown, { isTyped })
      if (isWide) await this.#note(session, formId, 'by_workspace')
    }
    return !hasOtherTypes
  }

  /** Returns the columns of a view with their kinds, where columns have types. */
  async #columns(session: Pick<Session, 'query'>, name: string): Promise<Map<string, string>> {
    const { findViewColumns } = this.#dialect
    const rows = findViewColumns ? await session.query(findViewColumns, [name]) : []
    return new Map(rows.map((row) => [String(row.name), String(row.kind)]))
  }

  /** Returns the view of a form, whose name is noted before it is created, and whether an earlier version defined it. */
  async #view(session: Session, formId: string): Promise<{ name: string; isWide: boolean }> {
    const [view] = await session.query(
      `SELECT name, by_workspace FROM ${this.#names.views} WHERE ${OF_FORM}`,
      [formId, this.#workspaceId],
    )
    if (view) return { name: String(view.name), isWide: view.by_workspace === null }
    return { name: await this.#newName(session, formId), isWide: false }
  }

  async #newName(session: Session, formId: string): Promise<string> {
    const used: string[] = []
    for (;;) {
      const name = viewName(formId, used, this.#dialect.maxNameBytes)
      if ((await session.query(this.#dialect.findRelation, [name])).length === 0) {
        const yes = this.#dialect.boolean(true)
        await session.query(
          `INSERT INTO ${this.#names.views} (form_id, workspace_id, name, typed, by_workspace) VALUES (?, ?, ?, ?, ?)`,
          [formId, this.#workspaceId, name, yes, yes],
        )
        return name
      }
      used.push(name)
    }
  }

  /** Returns the query of the view of a form. */
  #query(formId: string, questions: readonly Question[], isTyped: boolean): string {
    const { answer, literal, timestamp } = this.#dialect
    const columns = questions.map(
      ({ id, name, kind }) => `,\n  ${answer('r', id, kind)} AS ${quoteName(name)}`,
    )
    const submittedAt = isTyped ? timestamp('r.submitted_at') : 'r.submitted_at'
    return (
      `SELECT r.id AS id, ${submittedAt} AS submitted_at${columns.join('')}\nFROM ${this.#names.responses} AS r\n` +
      `WHERE r.form_id = ${literal(formId)} AND r.workspace_id = ${literal(this.#workspaceId)} ` +
      `AND r.status = 'submitted' AND r.deleted_at IS NULL`
    )
  }

  async #create(
    session: Session,
    formId: string,
    name: string,
    questions: readonly Question[],
    { isTyped = true, replaces = false }: { isTyped?: boolean; replaces?: boolean },
  ): Promise<void> {
    const { findGrants, findProperties } = this.#dialect
    const query = this.#query(formId, questions, isTyped)
    const view = this.#dialect.qualified(quoteName(name))
    const properties = findProperties ? await session.query(findProperties, [name]) : []
    if (!replaces) {
      // Views of yours that use this one stay, since columns are only appended.
      await session.query(`CREATE OR REPLACE VIEW ${view} AS ${query}`)
      for (const { sql, stays } of properties) if (!stays) await session.query(String(sql))
      return
    }
    const grants = findGrants ? await session.query(findGrants, [name]) : []
    await session.query(`DROP VIEW IF EXISTS ${view}`)
    await session.query(`CREATE VIEW ${view} AS ${query}`)
    // What default privileges grant may have been revoked.
    const byDefault = findGrants ? await session.query(findGrants, [name]) : []
    for (const { revocation } of byDefault) await session.query(String(revocation))
    for (const { sql } of [...grants, ...properties]) await session.query(String(sql))
  }
}

/** Errors of PostgreSQL: another view depends on this one; its columns are others; it is not a view any more; it has another owner. */
const IN_USE = ['2BP01', '42P16', '42809', '42501']

function isInUse(error: unknown): boolean {
  const { code, cause } = Object(error) as { code?: unknown; cause?: unknown }
  return error instanceof StoreError ? isInUse(cause) : IN_USE.includes(String(code))
}

/** Whether another form of another process took the name at the same time. */
function isNameTaken(error: unknown): boolean {
  return ['42P07', '23505'].includes(String((Object(error) as { code?: unknown }).code))
}

const shared = new WeakMap<object, Map<string, Views>>()

/** Returns what is known of the views of a workspace in a store, which any number of synchronizations may share. */
export function viewsOf(store: Pick<SyncStore, 'dialect'>, workspaceId: string): Views {
  const known = shared.get(store) ?? new Map<string, Views>()
  shared.set(store, known)
  const views = known.get(workspaceId) ?? new Views(store.dialect, workspaceId)
  known.set(workspaceId, views)
  return views
}
