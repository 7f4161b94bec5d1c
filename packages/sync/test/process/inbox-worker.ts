import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CheckpointStore, Formwire, isTimeoutError } from '@formwire/sdk'
import { fileCheckpoint } from '@formwire/sdk/checkpoint/file'
import { redisCheckpoint } from '@formwire/sdk/checkpoint/redis'
import { createDedupe, type DedupeStore } from '@formwire/webhook-verify/dedupe'
import { createRedisStore } from '@formwire/webhook-verify/dedupe/redis'
import { createReceiver } from '@formwire/webhook-verify/node'
import { createInbox, postgresQueue } from '../../src/inbox/index.ts'
import type { InboxWorkerSettings, Point } from './inbox-worker-settings.ts'

/** A process with an inbox: `node inbox-worker.mjs SETTINGS`, in JSON. A receiver prints its port. SIGTERM stops it. */
const settings = JSON.parse(process.argv[2] as string) as InboxWorkerSettings
const { name, form, diesAt, redis, database, failing = [], handlerMs = 0, maxRetryDelayMs = 1000 } = settings
const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())

const note = (event: string, id: number, source = 'none'): void =>
  appendFileSync(settings.log, `${event} ${id} ${name} ${source}\n`)
// SIGTERM now stops it.
note('started', 0)

const times = new Map<string, number>()
function pass(point: Point, side: 'before' | 'after'): void {
  const time = (times.get(`${side} ${point}`) ?? 0) + 1
  times.set(`${side} ${point}`, time)
  if (diesAt?.point === point && diesAt.side === side && diesAt.time === time)
    process.kill(process.pid, 'SIGKILL')
}

/** A call before and after which the process may die. */
function mortal<Call extends unknown[], Result>(
  point: Point,
  call: (...given: Call) => Promise<Result> | Result,
): (...given: Call) => Promise<Result> {
  return async (...given) => {
    pass(point, 'before')
    const result = await call(...given)
    pass(point, 'after')
    return result
  }
}

function mortalClaims(store: DedupeStore): DedupeStore {
  return {
    claim: mortal('claim', store.claim),
    release: store.release,
    complete: mortal('complete', async (keys, owner, keepMs) => {
      const isOurs = await store.complete(keys, owner, keepMs)
      const id = /inbox:handled:.*:(\d+)$/.exec(keys[0] as string)?.[1]
      if (isOurs && id !== undefined) note('recorded', Number(id))
      return isOurs
    }),
  }
}

function mortalCheckpoint({ load, save, acquire }: CheckpointStore): CheckpointStore {
  return {
    load,
    save: mortal('save', save),
    async acquire(key, signal) {
      const lease = await (acquire as NonNullable<typeof acquire>)(key, signal)
      return {
        lost: lease.lost,
        save: mortal('save', (at, state) => lease.save(at, state)),
        release: () => lease.release(),
      }
    },
  }
}

/** Prints what the test does not expect. A queue may be out, and the service delivers again. */
function report(error: unknown): void {
  if (!database && !/is being (?:handled|recorded or checked) elsewhere/.test(String(error)))
    console.error(error)
}

// Loaded only where it is used, since that takes long.
const connected = async (url: string) =>
  await (await import('redis')).createClient({ url }).on('error', report).connect()
const client = redis && (await connected(redis))
const checkpoint = client
  ? redisCheckpoint({ client, prefix: 'checkpoint', owner: () => name })
  : fileCheckpoint(settings.directory, { sync: false })
const queue =
  database === undefined
    ? undefined
    : postgresQueue({
        connectionString: database,
        leaseMs: 10_000,
        attempts: settings.attempts,
        retryDelayMs: 1000,
        maxRetryDelayMs,
      })

const inbox = createInbox({
  formwire: new Formwire({
    baseUrl: settings.baseUrl,
    apiKey: settings.apiKey,
    rateLimit: false,
    fetch: mortal('fetch', (...request: Parameters<typeof fetch>) => fetch(...request)),
  }),
  forms: queue ? 'all' : [form],
  per_page: 5,
  intervalMs: queue ? 200 : 1,
  ...(queue
    ? { queue }
    : {
        dedupe: createDedupe(mortalClaims(createRedisStore(client as never, 'dedupe:')), {
          newOwner: () => `${name}:${randomUUID()}`,
        }),
      }),
  checkpoint: mortalCheckpoint(checkpoint),
  handle: mortal('handle', async ({ id }, { source }) => {
    if (failing.includes(id)) {
      note('failed', id, source)
      throw new Error('mail server down')
    }
    note('begun', id, source)
    if (handlerMs > 0) await sleep(handlerMs)
    note('handled', id, source)
  }),
  onPause({ error }) {
    // The machine may be slow.
    if (!isTimeoutError(error)) report(error)
  },
  signal: stop.signal,
})

const { roles } = settings
if (roles.includes('receive')) {
  const receiver = createReceiver({
    secret: () => readFileSync(settings.secret, 'utf8').trim().split('\n'),
    // The clock of the service is ahead, so that deliveries are repeated.
    toleranceSeconds: Number.POSITIVE_INFINITY,
    on: inbox.handlers,
    onError: report,
  })
  const server = createServer((request, response) => void receiver(request, response))
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
  stop.signal.addEventListener('abort', () => server.close())
}
const { concurrency = 4 } = settings
await Promise.all([
  roles.includes('receive') && once(stop.signal, 'abort'),
  roles.includes('poll') && inbox.run(),
  roles.includes('work') &&
    inbox.work({ concurrency, pollMs: 100 }).then((summary) => console.log(JSON.stringify(summary))),
])
await queue?.close()
