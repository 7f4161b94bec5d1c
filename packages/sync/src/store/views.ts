import type { Answer } from '@formwire/contract'
import { type ColumnKind, type Dialect, quoteName } from '../database/dialect.ts'
import { LOCK_WAIT_MS, type Session, type SyncStore } from '../database/driver.ts'
import { StoreError } from '../errors.ts'
import { columnName, FIXED_COLUMNS, viewName } from './view-names.ts'

/** Columns of one view at most. PostgreSQL allows 1,600. */
const MAX_QUESTIONS = 1_000

/** Milliseconds to wait for programs that use a view, which hold up all others that want to. */
const VIEW_WAIT_MS = 1_000

interface Question {
  id: string
  name: string
  kind: ColumnKind
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

/** Keeps one view per form, with one column per question. Views change in the transaction that writes the first answer. */
export class Views {
  readonly #dialect: Dialect
  /** What is known to be in the database. Other processes may have added more. */
  readonly #known = new Map<string, Map<string, ColumnKind>>()

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  /** Runs a transaction that may change the view of a form. */
  async during<Result, Transaction>(
    store: SyncStore<Transaction>,
    formId: string,
    work: (session: Session, transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await store.transaction(formId, async (session, transaction) => {
        const result = await work(session, transaction)
        await this.#remember(session, formId)
        return result
      })
    } catch (error) {
      // It was rolled back.
      this.#known.delete(formId)
      throw error
    }
  }

  /** Whether the view of a form is known to have a column for each answer. */
  cover(formId: string, answers: readonly Answer[]): boolean {
    const known = this.#known.get(formId)
    if (known === undefined || !Array.isArray(answers)) return false
    return answers.every((answer) => fits(answer, known))
  }

  /** Adds the questions of some answers to the view of a form, and creates the view if it does not exist. */
  async update(session: Session, formId: string, answers: Iterable<readonly Answer[]>): Promise<void> {
    const known = this.#known.get(formId)
    const found = this.#missing(known, answers)
    if (known && found.size === 0) return
    // Forgotten until the transaction is committed: it may be rolled back.
    this.#known.delete(formId)
    await this.#alter(session, formId, found)
  }

  /** Returns the questions of some answers that are not known, or not of this kind. */
  #missing(
    known: ReadonlyMap<string, ColumnKind> | undefined,
    answers: Iterable<readonly Answer[]>,
  ): Map<string, ColumnKind> {
    const found = new Map<string, ColumnKind>()
    for (const list of answers) {
      if (!Array.isArray(list)) continue
      for (const answer of list) {
        const id = answer?.question_id
        if (typeof id !== 'string') continue
        const kind = kindOf(answer.type, answer.value)
        const before = found.get(id) ?? known?.get(id)
        // A column of numbers or dates becomes text with the first value that is none.
        if (before === undefined) found.set(id, kind)
        else if (before !== 'text' && kind !== before) found.set(id, 'text')
      }
    }
    return found
  }

  /** Called at the end of a transaction, with the questions that are in the database now. */
  async #remember(session: Session, formId: string): Promise<void> {
    if (this.#known.has(formId)) return
    const questions = await this.#questions(session, formId)
    this.#known.set(formId, new Map(questions.map(({ id, kind }) => [id, kind])))
  }

  /** Returns what the view of a form must show, if the form has a view. */
  async definition(session: Pick<Session, 'query'>, formId: string): Promise<ViewDefinition | undefined> {
    const id = this.#dialect.text(formId)
    const [view] = await session.query('SELECT name, typed FROM formwire_sync_views WHERE form_id = ?', [id])
    if (!view) return undefined
    const questions = await this.#questions(session, id)
    return {
      name: String(view.name),
      columns: [...FIXED_COLUMNS, ...questions.map(({ name }) => name)],
      kinds: new Map(questions.map((question) => [question.id, question.kind])),
      isFull: questions.length >= MAX_QUESTIONS,
      query: this.#query(id, questions, Boolean(view.typed)),
    }
  }

  async #questions(session: Pick<Session, 'query'>, formId: string): Promise<Question[]> {
    const rows = await session.query(
      'SELECT question_id, name, kind FROM formwire_sync_questions WHERE form_id = ? ORDER BY position',
      [formId],
    )
    return rows.map((row) => ({
      id: String(row.question_id),
      name: String(row.name),
      kind: row.kind === 'number' || row.kind === 'date' ? row.kind : 'text',
    }))
  }

  async #alter(session: Session, formId: string, found: Map<string, ColumnKind>): Promise<void> {
    const [existing] = await session.query('SELECT name, typed FROM formwire_sync_views WHERE form_id = ?', [
      formId,
    ])
    const name = existing ? String(existing.name) : await this.#newName(session, formId)
    const exists =
      existing !== undefined && (await session.query(this.#dialect.findRelation, [name])).length > 0
    const isTyped =
      !exists ||
      Boolean(existing.typed) ||
      (await this.#attempt(session, () => this.#giveTypes(session, formId, name)))
    let questions = await this.#questions(session, formId)
    const { added, retyped } = this.#changes(questions, found)
    if (added.length > 0 || !exists) {
      const extended = [...questions, ...added]
      const extend = async (): Promise<void> => {
        for (const [index, { id, name, kind }] of added.entries()) {
          await session.query(
            'INSERT INTO formwire_sync_questions (form_id, position, question_id, name, kind) VALUES (?, ?, ?, ?, ?)',
            [formId, questions.length + index + 1, id, name, kind],
          )
        }
        await this.#create(session, formId, name, extended, { isTyped })
      }
      if (!exists) await extend()
      if (!exists || (await this.#attempt(session, extend))) questions = extended
    }
    if (retyped.size === 0) return
    await this.#attempt(session, async () => {
      for (const id of retyped) {
        await session.query(
          "UPDATE formwire_sync_questions SET kind = 'text' WHERE form_id = ? AND question_id = ?",
          [formId, id],
        )
      }
      const changed = questions.map((one) => (retyped.has(one.id) ? { ...one, kind: 'text' as const } : one))
      await this.#create(session, formId, name, changed, { isTyped, replaces: true })
    })
  }

  /** Replaces a view of an earlier version, whose timestamps and dates are text. */
  async #giveTypes(session: Session, formId: string, name: string): Promise<void> {
    const { findDates } = this.#dialect
    for (const { id } of findDates ? await session.query(findDates, [formId]) : []) {
      await session.query(
        "UPDATE formwire_sync_questions SET kind = 'date' WHERE form_id = ? AND question_id = ?",
        [formId, String(id)],
      )
    }
    const options = { isTyped: true, replaces: true }
    await this.#create(session, formId, name, await this.#questions(session, formId), options)
    await session.query('UPDATE formwire_sync_views SET typed = ? WHERE form_id = ?', [
      this.#dialect.boolean(true),
      formId,
    ])
  }

  /** Returns the questions that have no column yet, and the ids of those whose column becomes text. */
  #changes(
    questions: readonly Question[],
    found: ReadonlyMap<string, ColumnKind>,
  ): { added: Question[]; retyped: Set<string> } {
    const added: Question[] = []
    const retyped = new Set<string>()
    for (const [rawId, kind] of found) {
      const id = this.#dialect.text(rawId)
      const all = [...questions, ...added]
      const question = all.find((one) => one.id === id)
      if (!question && all.length < MAX_QUESTIONS) {
        const names = all.map((one) => one.name)
        added.push({ id, name: columnName(id, names, this.#dialect.maxNameBytes), kind })
      } else if (question && question.kind !== 'text' && kind !== question.kind) retyped.add(id)
    }
    return { added, retyped }
  }

  /**
   * Changes a view that exists. If another program uses it, or a view of yours depends on a column, it stays as it is, and the rows
   * are written: the next write with such an answer tries again. Returns whether it was changed.
   */
  async #attempt(session: Session, change: () => Promise<void>): Promise<boolean> {
    const { waitForLocks } = this.#dialect
    await session.query('SAVEPOINT formwire_view')
    if (waitForLocks) await session.query(waitForLocks(VIEW_WAIT_MS))
    let isChanged = true
    try {
      await change()
    } catch (error) {
      if (!isInUse(error)) throw error
      isChanged = false
      await session.query('ROLLBACK TO SAVEPOINT formwire_view')
    }
    await session.query('RELEASE SAVEPOINT formwire_view')
    if (waitForLocks) await session.query(waitForLocks(LOCK_WAIT_MS))
    return isChanged
  }

  async #newName(session: Session, formId: string): Promise<string> {
    const used: string[] = []
    for (;;) {
      const name = viewName(formId, used, this.#dialect.maxNameBytes)
      if ((await session.query(this.#dialect.findRelation, [name])).length === 0) {
        await session.query('INSERT INTO formwire_sync_views (form_id, name, typed) VALUES (?, ?, ?)', [
          formId,
          name,
          this.#dialect.boolean(true),
        ])
        return name
      }
      used.push(name)
    }
  }

  /** Returns the query of the view of a form. */
  #query(formId: string, questions: readonly Question[], isTyped: boolean): string {
    const columns = questions.map(({ id, name, kind }) => {
      const shown = kind === 'date' && !isTyped ? 'text' : kind
      return `,\n  ${this.#dialect.answer('r', id, shown)} AS ${quoteName(name)}`
    })
    const submittedAt = isTyped ? this.#dialect.timestamp('r.submitted_at') : 'r.submitted_at'
    return (
      `SELECT r.id AS id, ${submittedAt} AS submitted_at${columns.join('')}\nFROM formwire_responses AS r\n` +
      `WHERE r.form_id = ${this.#dialect.literal(formId)} AND r.status = 'submitted' AND r.deleted_at IS NULL`
    )
  }

  async #create(
    session: Session,
    formId: string,
    name: string,
    questions: readonly Question[],
    { isTyped, replaces = false }: { isTyped: boolean; replaces?: boolean },
  ): Promise<void> {
    const query = this.#query(formId, questions, isTyped)
    if (this.#dialect.name === 'postgres' && !replaces) {
      // Views of yours that use this one stay, since columns are only appended.
      await session.query(`CREATE OR REPLACE VIEW ${quoteName(name)} AS ${query}`)
      return
    }
    const { findGrants } = this.#dialect
    const grants = findGrants ? await session.query(findGrants, [name]) : []
    await session.query(`DROP VIEW IF EXISTS ${quoteName(name)}`)
    await session.query(`CREATE VIEW ${quoteName(name)} AS ${query}`)
    for (const { sql } of grants) await session.query(String(sql))
  }
}

/** Whether one of the columns shows an answer. */
export function fits({ question_id, type, value }: Answer, kinds: ReadonlyMap<string, ColumnKind>): boolean {
  const kind = kinds.get(question_id)
  return kind !== undefined && (kind === 'text' || kind === kindOf(type, value))
}

function kindOf(type: unknown, value: unknown): ColumnKind {
  if (typeof value === 'number') return 'number'
  return type === 'date' ? 'date' : 'text'
}

/** Errors of PostgreSQL: another view depends on this one; its columns are others; it is not a view any more; it has another owner. */
const IN_USE = ['2BP01', '42P16', '42809', '42501']

function isInUse(error: unknown): boolean {
  const { code, cause } = Object(error) as { code?: unknown; cause?: unknown }
  if (error instanceof StoreError) return code === 'locked' || (code === 'refused' && isInUse(cause))
  return IN_USE.includes(String(code))
}

const shared = new WeakMap<object, Views>()

/** Returns what is known of the views of a store, which any number of synchronizations may share. */
export function viewsOf(store: Pick<SyncStore, 'dialect'>): Views {
  const views = shared.get(store) ?? new Views(store.dialect)
  shared.set(store, views)
  return views
}
