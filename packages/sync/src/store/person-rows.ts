import type { Dialect } from '../database/dialect.ts'
import type { SqlRow, SyncStore } from '../database/driver.ts'
import { namesOf } from './names.ts'
import { BATCH } from './statements.ts'

/** What of a row is searched for a person. */
export interface SearchedRow {
  workspaceId: string
  formId: string
  id: number
  status: string
  deleted: boolean
  email: unknown
  /** Undefined if the database holds text that is not JSON. */
  answers: unknown
  /** What the database holds. */
  rawAnswers: unknown
}

/** Ids of a response. Without `workspaceId`, of any workspace. */
export interface ResponseIds {
  workspaceId?: string | undefined
  formId: string
  id: number
}

const COLUMNS = 'workspace_id, form_id, id, status, email, answers, deleted_at'

type ReadStore = Pick<SyncStore, 'dialect' | 'read'>

/** Yields every row of a workspace, or of all of them, deleted ones included. */
export async function* personRows(
  store: ReadStore,
  workspaceId: string | undefined,
): AsyncGenerator<SearchedRow> {
  const { responses } = namesOf(store.dialect)
  const ofWorkspace = workspaceId === undefined ? [] : [workspaceId]
  let after: [formId: string, id: number, workspaceId: string] | undefined
  for (;;) {
    const conditions = [
      ...ofWorkspace.map(() => 'workspace_id = ?'),
      ...(after ? ['(form_id, id, workspace_id) > (?, ?, ?)'] : []),
    ]
    const rows = await store.read(
      `SELECT ${COLUMNS} FROM ${responses}
        ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''} ORDER BY form_id, id, workspace_id LIMIT ${BATCH}`,
      [...ofWorkspace, ...(after ?? [])],
      { isQualified: true },
    )
    for (const row of rows) {
      const one = searched(row, store.dialect)
      after = [one.formId, one.id, one.workspaceId]
      yield one
    }
    if (rows.length < BATCH) return
  }
}

/** Yields the rows with some ids that still have content. */
export async function* rowsOf(
  store: ReadStore,
  workspaceId: string | undefined,
  ids: readonly ResponseIds[],
): AsyncGenerator<SearchedRow> {
  for (const { workspaceId: own = workspaceId, formId, id } of ids) {
    if (own !== (workspaceId ?? own)) continue
    const rows = await store.read(
      `SELECT ${COLUMNS} FROM ${namesOf(store.dialect).responses} WHERE form_id = ? AND id = ?
        ${own === undefined ? '' : 'AND workspace_id = ?'} AND NOT (email IS NULL AND answers IS NULL AND meta IS NULL) ORDER BY workspace_id`,
      [store.dialect.text(formId), id, ...(own === undefined ? [] : [own])],
      { isQualified: true },
    )
    for (const row of rows) yield searched(row, store.dialect)
  }
}

function searched(row: SqlRow, dialect: Dialect): SearchedRow {
  return {
    workspaceId: String(row.workspace_id),
    formId: String(row.form_id),
    id: Number(row.id),
    status: String(row.status),
    deleted: row.deleted_at !== null,
    email: row.email,
    answers: parsed(row.answers, dialect),
    rawAnswers: row.answers,
  }
}

function parsed(value: unknown, dialect: Dialect): unknown {
  try {
    return dialect.parseJson(value)
  } catch {
    return undefined
  }
}
