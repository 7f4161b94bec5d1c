import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Formwire } from '@formwire/sdk'
import { createReceiver } from '@formwire/webhook-verify/node'
import { createSync } from '../../src/index.ts'
import { sqliteStore } from '../../src/sqlite/index.ts'
import { toOutbox } from './outbox.ts'

/**
 * A process that follows all forms, and receives their webhooks until it is killed: `node sync-worker.mjs URL KEY SECRET PATH`, the path
 * of a SQLite file. Prints the port of its receiver.
 */
const [, , baseUrl, apiKey, secret, path] = process.argv as string[]

const sync = createSync({
  formwire: new Formwire({ baseUrl, apiKey, rateLimit: false, maxRetries: 0 }),
  store: sqliteStore(path as string),
  forms: 'all',
  per_page: 5,
  intervalMs: 1,
  onResponse: toOutbox,
})
const receiver = createReceiver({ secret: secret as string, on: sync.handlers, onError: console.error })
const server = createServer((request, response) => void receiver(request, response))
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
await sync.run()
