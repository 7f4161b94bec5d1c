import type { Dialect } from '../database/dialect.ts'
import type { SyncStore } from '../database/driver.ts'
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

/** Yields every row of a workspace, or of all of them, deleted ones included. */
export async function* personRows(
  store: Pick<SyncStore, 'dialect' | 'read'>,
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
      `SELECT workspace_id, form_id, id, status, email, answers, deleted_at FROM ${responses}
        ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''} ORDER BY form_id, id, workspace_id LIMIT ${BATCH}`,
      [...ofWorkspace, ...(after ?? [])],
      { isQualified: true },
    )
    for (const row of rows) {
      after = [String(row.form_id), Number(row.id), String(row.workspace_id)]
      yield {
        workspaceId: after[2],
        formId: after[0],
        id: after[1],
        status: String(row.status),
        deleted: row.deleted_at !== null,
        email: row.email,
        answers: parsed(row.answers, store.dialect),
        rawAnswers: row.answers,
      }
    }
    if (rows.length < BATCH) return
  }
}

function parsed(value: unknown, dialect: Dialect): unknown {
  try {
    return dialect.parseJson(value)
  } catch {
    return undefined
  }
}
