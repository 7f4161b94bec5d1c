import type { Dialect } from '../database/dialect.ts'
import type { SyncStore } from '../database/driver.ts'
import { BATCH } from './statements.ts'

/** What of a row is searched for a person. */
export interface SearchedRow {
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

/** Yields every row of the table, deleted ones included. */
export async function* personRows(store: Pick<SyncStore, 'dialect' | 'read'>): AsyncGenerator<SearchedRow> {
  let after: [formId: string, id: number] | undefined
  for (;;) {
    const rows = await store.read(
      `SELECT form_id, id, status, email, answers, deleted_at FROM formwire_responses
        ${after ? 'WHERE (form_id, id) > (?, ?)' : ''} ORDER BY form_id, id LIMIT ${BATCH}`,
      after ?? [],
    )
    for (const row of rows) {
      after = [String(row.form_id), Number(row.id)]
      yield {
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
