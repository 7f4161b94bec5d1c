import type { Answer } from '@formwire/contract'
import { type ColumnKind, type Dialect, quoteName } from '../database/dialect.ts'
import type { Session, SyncStore } from '../database/driver.ts'
import { columnName, viewName } from './view-names.ts'

/** Columns of one view at most. PostgreSQL allows 1,600. */
const MAX_QUESTIONS = 1_000

interface Question {
  id: string
  name: string
  kind: ColumnKind
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
    for (const { question_id, value } of answers) {
      const kind = known.get(question_id)
      if (kind === undefined || (kind === 'number' && typeof value !== 'number')) return false
    }
    return true
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
        const kind: ColumnKind = typeof answer.value === 'number' ? 'number' : 'text'
        const before = found.get(id) ?? known?.get(id)
        // A column of numbers becomes text with the first value that is none.
        if (before === undefined || (before === 'number' && kind === 'text')) found.set(id, kind)
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

  async #questions(session: Session, formId: string): Promise<Question[]> {
    const rows = await session.query(
      'SELECT question_id, name, kind FROM formwire_sync_questions WHERE form_id = ? ORDER BY position',
      [formId],
    )
    return rows.map((row) => ({
      id: String(row.question_id),
      name: String(row.name),
      kind: row.kind === 'number' ? 'number' : 'text',
    }))
  }

  async #alter(session: Session, formId: string, found: Map<string, ColumnKind>): Promise<void> {
    const questions = await this.#questions(session, formId)
    let appended = false
    let retyped = false
    for (const [rawId, kind] of found) {
      const id = this.#dialect.text(rawId)
      const question = questions.find((one) => one.id === id)
      if (!question && questions.length < MAX_QUESTIONS) {
        const name = columnName(
          id,
          questions.map((one) => one.name),
          this.#dialect.maxNameBytes,
        )
        await session.query(
          'INSERT INTO formwire_sync_questions (form_id, position, question_id, name, kind) VALUES (?, ?, ?, ?, ?)',
          [formId, questions.length + 1, id, name, kind],
        )
        questions.push({ id, name, kind })
        appended = true
      } else if (question?.kind === 'number' && kind === 'text') {
        await session.query(
          "UPDATE formwire_sync_questions SET kind = 'text' WHERE form_id = ? AND question_id = ?",
          [formId, id],
        )
        question.kind = kind
        retyped = true
      }
    }
    const existing = await session.query('SELECT name FROM formwire_sync_views WHERE form_id = ?', [formId])
    const name = existing[0] ? String(existing[0].name) : await this.#newName(session, formId)
    if (existing[0] && !appended && !retyped) {
      if ((await session.query(this.#dialect.findRelation, [name])).length > 0) return
    }
    await this.#create(session, formId, name, questions, retyped)
  }

  async #newName(session: Session, formId: string): Promise<string> {
    const used: string[] = []
    for (;;) {
      const name = viewName(formId, used, this.#dialect.maxNameBytes)
      if ((await session.query(this.#dialect.findRelation, [name])).length === 0) {
        await session.query('INSERT INTO formwire_sync_views (form_id, name) VALUES (?, ?)', [formId, name])
        return name
      }
      used.push(name)
    }
  }

  async #create(
    session: Session,
    formId: string,
    name: string,
    questions: readonly Question[],
    retyped: boolean,
  ): Promise<void> {
    const columns = questions.map(
      (one) => `,\n  ${this.#dialect.answer('r', one.id, one.kind)} AS ${quoteName(one.name)}`,
    )
    const query =
      `SELECT r.id AS id, r.submitted_at AS submitted_at${columns.join('')}\nFROM formwire_responses AS r\n` +
      `WHERE r.form_id = ${this.#dialect.literal(formId)} AND r.status = 'submitted' AND r.deleted_at IS NULL`
    const replaces = this.#dialect.name === 'postgres' && !retyped
    if (replaces) {
      // Views of yours that use this one stay, since columns are only appended.
      await session.query(`CREATE OR REPLACE VIEW ${quoteName(name)} AS ${query}`)
      return
    }
    await session.query('SAVEPOINT formwire_view')
    try {
      await session.query(`DROP VIEW IF EXISTS ${quoteName(name)}`)
      await session.query(`CREATE VIEW ${quoteName(name)} AS ${query}`)
    } catch (error) {
      // A view of yours uses this one: it keeps its columns, and values that are no numbers are null in it.
      if ((error as { code?: unknown }).code !== '2BP01') throw error
      await session.query('ROLLBACK TO SAVEPOINT formwire_view')
    }
    await session.query('RELEASE SAVEPOINT formwire_view')
  }
}
