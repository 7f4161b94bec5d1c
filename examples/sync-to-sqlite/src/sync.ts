import type { Formwire } from '@formwire/sdk'
import { createSync } from '@formwire/sync'
import { type SqliteTransaction, sqliteStore } from '@formwire/sync/sqlite'

/** What one run did, and what the reports of the database show. */
export interface Report {
  inserted: number
  deleted: number
  /** Mean score by form. */
  scores: { title: string; responses: number; nps: number }[]
}

/** Copies every form into a SQLite file, counts new responses by day, and reads a report with plain SQL. */
export async function syncAndReport(formwire: Formwire, path: string, formId: string): Promise<Report> {
  const store = sqliteStore(path)
  try {
    await store.transaction('setup', (session) =>
      session.query(
        'CREATE TABLE IF NOT EXISTS responses_by_day (day TEXT PRIMARY KEY, responses INTEGER NOT NULL)',
      ),
    )
    const sync = createSync({ formwire, store, forms: 'all', onResponse: countDay })
    const { inserted, deleted } = await sync.once()
    const scores = await store.read(
      `SELECT f.title AS title, count(*) AS responses, avg(v.nps) AS nps
        FROM formwire_form_${formId.toLowerCase()} AS v JOIN formwire_forms AS f ON f.id = ?`,
      [formId],
    )
    return { inserted, deleted, scores: scores as unknown as Report['scores'] }
  } finally {
    await store.close()
  }
}

/** In the transaction of the row: each response is counted exactly once, whatever crashes. */
function countDay(response: { submitted_at: string | null }, transaction: SqliteTransaction): void {
  transaction.run(
    'INSERT INTO responses_by_day VALUES (?, 1) ON CONFLICT (day) DO UPDATE SET responses = responses + 1',
    response.submitted_at?.slice(0, 10) ?? 'unknown',
  )
}
