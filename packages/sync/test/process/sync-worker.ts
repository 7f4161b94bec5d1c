import { Formwire } from '@formwire/sdk'
import { createSync, type SyncStore } from '../../src/index.ts'
import { postgresStore } from '../../src/postgres/index.ts'
import { sqliteStore } from '../../src/sqlite/index.ts'
import { toOutbox } from './outbox.ts'

/** A process that follows a form until it is killed: `node sync-worker.mjs URL KEY FORM sqlite|postgres PATH-OR-URL`. */
const [, , baseUrl, apiKey, form, kind, target] = process.argv as string[]
// biome-ignore lint/suspicious/noExplicitAny: the transaction is that of either store
const store: SyncStore<any> =
  kind === 'postgres' ? postgresStore({ connectionString: target as string }) : sqliteStore(target as string)

await createSync({
  formwire: new Formwire({ baseUrl, apiKey, rateLimit: false, maxRetries: 0 }),
  store,
  forms: [form as string],
  per_page: 5,
  intervalMs: 1,
  onResponse: toOutbox,
}).run()
