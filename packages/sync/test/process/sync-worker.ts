import { Formwire } from '@formwire/sdk'
import { createSync } from '../../src/index.ts'
import { sqliteStore } from '../../src/sqlite/index.ts'

/** A process that follows a form until it is killed: `node sync-worker.mjs URL KEY FORM PATH`. */
const [, , baseUrl, apiKey, form, path] = process.argv as string[]

await createSync({
  formwire: new Formwire({ baseUrl, apiKey, rateLimit: false, maxRetries: 0 }),
  store: sqliteStore(path as string),
  forms: [form as string],
  per_page: 5,
  intervalMs: 1,
  onResponse: ({ id }, transaction) => transaction.run('INSERT INTO outbox (id) VALUES (?)', id),
}).run()
