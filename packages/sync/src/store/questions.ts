import type { Answer } from '@formwire/contract'
import type { ColumnKind, Dialect } from '../database/dialect.ts'
import type { Session } from '../database/driver.ts'
import { namesOf } from './names.ts'
import { OF_FORM } from './statements.ts'
import { columnName } from './view-names.ts'

/** Maximum number of questions of a form, each a column of its view. PostgreSQL allows 1,600. */
const MAX_QUESTIONS = 1_000

/** A question that was found in answers, with the name and kind of its column. */
export interface Question {
  id: string
  name: string
  kind: ColumnKind
}

/** The stored questions of the forms of a workspace. */
export class Questions {
  readonly #dialect: Dialect
  readonly #workspaceId: string
  readonly #table: string

  constructor(dialect: Dialect, workspaceId: string) {
    this.#dialect = dialect
    this.#workspaceId = workspaceId
    this.#table = namesOf(dialect).questions
  }

  /** Returns the questions of a form in the order of their columns. */
  async of(session: Pick<Session, 'query'>, formId: string): Promise<Question[]> {
    const rows = await session.query(
      `SELECT question_id, name, kind FROM ${this.#table} WHERE ${OF_FORM} ORDER BY position`,
      [formId, this.#workspaceId],
    )
    return rows.map((row) => ({
      id: String(row.question_id),
      name: String(row.name),
      kind: row.kind === 'number' || row.kind === 'date' ? row.kind : 'text',
    }))
  }

  /** Stores questions by their ids. Returns whether any of them is new or has another kind now. */
  async store(session: Session, formId: string, found: ReadonlyMap<string, ColumnKind>): Promise<boolean> {
    const questions = await this.of(session, formId)
    const { added, retyped } = this.#changes(questions, found)
    for (const [index, { id, name, kind }] of added.entries()) {
      await session.query(
        `INSERT INTO ${this.#table} (form_id, workspace_id, position, question_id, name, kind) VALUES (?, ?, ?, ?, ?, ?)`,
        [formId, this.#workspaceId, questions.length + index + 1, id, name, kind],
      )
    }
    for (const id of retyped) await this.retype(session, formId, id, 'text')
    return added.length > 0 || retyped.size > 0
  }

  /** Changes the kind of a stored question. */
  async retype(session: Session, formId: string, id: string, kind: ColumnKind): Promise<void> {
    await session.query(`UPDATE ${this.#table} SET kind = ? WHERE ${OF_FORM} AND question_id = ?`, [
      kind,
      formId,
      this.#workspaceId,
      id,
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
      if (!question && !isFull(all)) {
        const names = all.map((one) => one.name)
        added.push({ id, name: columnName(id, names, this.#dialect.maxNameBytes), kind })
      } else if (question && question.kind !== 'text' && kind !== question.kind) retyped.add(id)
    }
    return { added, retyped }
  }
}

/** Whether further questions get no column. */
export const isFull = (questions: readonly Question[]): boolean => questions.length >= MAX_QUESTIONS

/** Returns the questions of some answers that are not known, or not of this kind. */
export function missing(
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

/** Whether one of the columns shows an answer. */
export function fits({ question_id, type, value }: Answer, kinds: ReadonlyMap<string, ColumnKind>): boolean {
  const kind = kinds.get(question_id)
  return kind !== undefined && (kind === 'text' || kind === kindOf(type, value))
}

function kindOf(type: unknown, value: unknown): ColumnKind {
  if (typeof value === 'number') return 'number'
  return type === 'date' ? 'date' : 'text'
}
