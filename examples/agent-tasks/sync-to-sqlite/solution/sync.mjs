import { Formwire } from '@formwire/sdk'
import { createSync } from '@formwire/sync'
import { sqliteStore } from '@formwire/sync/sqlite'

const VIEW =
  'CREATE VIEW IF NOT EXISTS responses AS SELECT form_id, id, submitted_at, email ' +
  "FROM formwire_responses WHERE deleted_at IS NULL AND status = 'submitted'"

const store = sqliteStore(process.argv[2])
const summary = await createSync({ formwire: new Formwire(), store, forms: 'all' }).once()
await store.transaction('view', (session) => session.query(VIEW))
await store.close()
console.log(summary)
