import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Formwire } from '@formwire/sdk'
import { createReceiver } from '@formwire/webhook-verify/node'
import { createSync, type SyncStore } from '../../src/index.ts'
import { postgresStore } from '../../src/postgres/index.ts'
import { sqliteStore } from '../../src/sqlite/index.ts'
import { toOutbox } from './outbox.ts'

/**
 * A process that follows all forms, and receives their webhooks until it is killed: `node sync-worker.mjs URL KEY SECRET
 * sqlite|postgres PATH-OR-URL`. Prints the port of its receiver.
 */
const [, , baseUrl, apiKey, secret, kind, target] = process.argv as string[]
// biome-ignore lint/suspicious/noExplicitAny: the transaction is that of either store
const store: SyncStore<any> =
  kind === 'postgres' ? postgresStore({ connectionString: target as string }) : sqliteStore(target as string)

const sync = createSync({
  formwire: new Formwire({ baseUrl, apiKey, rateLimit: false, maxRetries: 0 }),
  store,
  forms: 'all',
  per_page: 5,
  intervalMs: 1,
  onResponse: toOutbox,
})
const receiver = createReceiver({ secret: secret as string, on: sync.handlers, onError: console.error })
const server = createServer((request, response) => void receiver(request, response))
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
await sync.run()
