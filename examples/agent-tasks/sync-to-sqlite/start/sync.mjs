import { Formwire } from '@formwire/sdk'
import Database from 'libsql'

const database = new Database(process.argv[2])
database.exec(
  'CREATE TABLE IF NOT EXISTS responses (form_id TEXT, id INTEGER, submitted_at TEXT, email TEXT)',
)
const insert = database.prepare('INSERT INTO responses VALUES (?, ?, ?, ?)')
const formwire = new Formwire()

for await (const form of formwire.forms.list()) {
  const rows = []
  for await (const row of formwire.responses.list(form.id, { per_page: 100 })) rows.push(row)
  database.transaction(() => {
    for (const { id, submitted_at, email } of rows) insert.run(form.id, id, submitted_at, email)
  })()
}
