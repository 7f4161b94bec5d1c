import { Formwire } from '@formwire/sdk'
import Database from 'libsql'

const database = new Database(process.argv[2])
database.exec(`CREATE TABLE IF NOT EXISTS responses
  (form_id TEXT, id INTEGER, submitted_at TEXT, email TEXT, PRIMARY KEY (form_id, id))`)
const newest = database.prepare('SELECT max(submitted_at) AS since FROM responses WHERE form_id = ?')
const insert = database.prepare('INSERT OR IGNORE INTO responses VALUES (?, ?, ?, ?)')
const formwire = new Formwire({ rateLimit: false })

// Finds what is new, and never what is gone.
for await (const form of formwire.forms.list()) {
  const since = newest.get(form.id).since ?? undefined
  const rows = []
  for await (const row of formwire.responses.list(form.id, { since, per_page: 100 })) rows.push(row)
  database.transaction(() => {
    for (const { id, submitted_at, email } of rows) insert.run(form.id, id, submitted_at, email)
  })()
}
