import type { Answer } from '@formwire/contract'
import { type ColumnKind, cleanText, type QuestionKind } from '../database/dialect.ts'
import type { Session } from '../database/driver.ts'
import { type FormScope, keyOfKind, type ViewState } from './scope.ts'
import { OF_FORM } from './statements.ts'
import { columnName, FIXED_COLUMNS } from './view-names.ts'

/** Columns of questions that are stored of a form. Its view shows the first of them. */
const MAX_STORED = 10_000

/** The column that shows the answers of one kind to a question. */
export interface QuestionColumn extends QuestionKind {
  name: string
}

/** Returns the columns of the view of a form, in order. */
export async function columnsOf<Transaction>(
  { names, key }: FormScope<Transaction>,
  { query }: Pick<Session, 'query'>,
): Promise<QuestionColumn[]> {
  const sql = `SELECT question_id, name, kind FROM ${names.questions} WHERE ${OF_FORM} ORDER BY position`
  return (await query(sql, key)).map((row) => ({
    id: String(row.question_id),
    name: String(row.name),
    kind: row.kind === 'number' || row.kind === 'date' ? row.kind : 'text',
  }))
}

/** Adds columns at the end, in the order given. */
export async function addColumns<Transaction>(
  scope: FormScope<Transaction>,
  session: Session,
  found: readonly QuestionKind[],
): Promise<void> {
  const columns = await columnsOf(scope, session)
  const keys = new Set(columns.map(keyOfKind))
  const used = new Set([...FIXED_COLUMNS, ...columns.map(({ name }) => name.toLowerCase())])
  const sql = `INSERT INTO ${scope.names.questions} (form_id, workspace_id, position, question_id, kind, name) VALUES (?, ?, ?, ?, ?, ?)`
  for (const one of found) {
    if (keys.size >= MAX_STORED || keys.has(keyOfKind(one))) continue
    keys.add(keyOfKind(one))
    const name = columnName(one.id, used, scope.store.dialect.maxNameBytes)
    await session.query(sql, [...scope.key, keys.size, one.id, one.kind, name])
  }
}

/** Returns the questions and kinds of some answers that no known column shows, in the order of the answers. */
export function missing(known: ViewState['known'], answers: Iterable<readonly Answer[]>): QuestionKind[] {
  const found = new Map<string, QuestionKind>()
  for (const list of answers) {
    if (!Array.isArray(list)) continue
    for (const answer of list) {
      const kind = typeof answer?.question_id === 'string' ? kindOf(answer) : undefined
      if (kind === undefined) continue
      const one = { id: cleanText(answer.question_id), kind }
      const key = keyOfKind(one)
      if (!known?.has(key) && !found.has(key)) found.set(key, one)
    }
  }
  return [...found.values()]
}

/** Returns the kind of an answer; none without a value, which says nothing about it. */
function kindOf({ type, value }: { type?: unknown; value?: unknown }): ColumnKind | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'number') return 'number'
  return type === 'date' ? 'date' : 'text'
}
