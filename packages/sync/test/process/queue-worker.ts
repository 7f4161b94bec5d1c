import { appendFileSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Formwire } from '@formwire/sdk'
import { fileCheckpoint } from '@formwire/sdk/checkpoint/file'
import { createReceiver } from '@formwire/webhook-verify/node'
import { createInbox, postgresQueue } from '../../src/inbox/index.ts'
import type { QueueWorkerSettings } from './queue-worker-settings.ts'

/** A process with an inbox on PostgreSQL: `node queue-worker.mjs SETTINGS`, in JSON. A receiver prints its port. SIGTERM stops it. */
const settings = JSON.parse(process.argv[2] as string) as QueueWorkerSettings
const { name, failing = [], handlerMs = 0, maxRetryDelayMs = 1000 } = settings
const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())
// SIGTERM now stops it.
appendFileSync(settings.log, `started 0 ${name} none\n`)

const queue = postgresQueue({
  connectionString: settings.database,
  leaseMs: 10_000,
  attempts: settings.attempts,
  retryDelayMs: 1000,
  maxRetryDelayMs,
})
let handled = 0
const inbox = createInbox({
  formwire: new Formwire({ baseUrl: settings.baseUrl, apiKey: settings.apiKey, rateLimit: false }),
  forms: 'all',
  intervalMs: 200,
  queue,
  checkpoint: fileCheckpoint(settings.directory, { sync: false }),
  async handle({ id }, { source }) {
    if (failing.includes(id)) {
      appendFileSync(settings.log, `failed ${id} ${name} ${source}\n`)
      throw new Error('mail server down')
    }
    appendFileSync(settings.log, `begun ${id} ${name} ${source}\n`)
    if (handlerMs > 0) await sleep(handlerMs)
    appendFileSync(settings.log, `handled ${id} ${name} ${source}\n`)
    handled += 1
    if (handled === settings.diesAfter) process.kill(process.pid, 'SIGKILL')
  },
  signal: stop.signal,
})

const tasks: Promise<unknown>[] = []
if (settings.roles.includes('receive')) {
  const receiver = createReceiver({
    secret: () => readFileSync(settings.secret, 'utf8'),
    // The clock of the service is manual.
    toleranceSeconds: Number.POSITIVE_INFINITY,
    on: inbox.handlers,
    // The service delivers again.
    onError: () => undefined,
  })
  const server = createServer((request, response) => void receiver(request, response))
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
  stop.signal.addEventListener('abort', () => server.close())
}
if (settings.roles.includes('poll')) tasks.push(inbox.run())
if (settings.roles.includes('work')) {
  const { concurrency = 4 } = settings
  tasks.push(inbox.work({ concurrency, pollMs: 100 }).then((summary) => console.log(JSON.stringify(summary))))
}
if (tasks.length > 0) {
  await Promise.all(tasks)
  await queue.close()
} else stop.signal.addEventListener('abort', () => void queue.close())
