import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CheckpointStore, Formwire, isTimeoutError } from '@formwire/sdk'
import { fileCheckpoint } from '@formwire/sdk/checkpoint/file'
import { redisCheckpoint } from '@formwire/sdk/checkpoint/redis'
import { createDedupe, createMemoryStore, type DedupeStore } from '@formwire/webhook-verify/dedupe'
import { createRedisStore } from '@formwire/webhook-verify/dedupe/redis'
import { createReceiver } from '@formwire/webhook-verify/node'
import { createClient } from 'redis'
import { createInbox } from '../../src/inbox/index.ts'
import type { InboxWorkerSettings, Point } from './inbox-worker-settings.ts'

/** A process with an inbox: `node inbox-worker.mjs SETTINGS`, in JSON. A receiver prints its port. */
const settings = JSON.parse(process.argv[2] as string) as InboxWorkerSettings
const { name, form, diesAt, redis } = settings

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
      if (isOurs && id !== undefined) appendFileSync(settings.log, `recorded ${id} ${name}\n`)
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

/** Prints what the test does not expect. */
function report(error: unknown): void {
  if (!/is being (?:handled|recorded or checked) elsewhere/.test(String(error))) console.error(error)
}

const client = redis && (await createClient({ url: redis.url }).on('error', report).connect())
const claims = client ? createRedisStore(client, `${redis?.prefix}dedupe:`) : createMemoryStore()
const checkpoint =
  client && settings.directory === undefined
    ? redisCheckpoint({ client, prefix: `${redis?.prefix}checkpoint`, owner: () => name })
    : fileCheckpoint(settings.directory as string)

const inbox = createInbox({
  formwire: new Formwire({
    baseUrl: settings.baseUrl,
    apiKey: settings.apiKey,
    rateLimit: false,
    fetch: mortal('fetch', (...request: Parameters<typeof fetch>) => fetch(...request)),
  }),
  forms: [form],
  per_page: 5,
  intervalMs: 1,
  dedupe: createDedupe(mortalClaims(claims), { newOwner: () => `${name}:${randomUUID()}` }),
  checkpoint: mortalCheckpoint(checkpoint),
  handle: mortal('handle', ({ id }, { source }) => {
    appendFileSync(settings.log, `handled ${id} ${name} ${source}\n`)
  }),
  onPause({ error }) {
    // The machine may be slow.
    if (!isTimeoutError(error)) report(error)
  },
})

if (settings.roles.includes('receive')) {
  const receiver = createReceiver({
    secret: settings.secret,
    // The clock of the service is ahead, so that deliveries are repeated.
    toleranceSeconds: Number.POSITIVE_INFINITY,
    on: inbox.handlers,
    onError: report,
  })
  const server = createServer((request, response) => void receiver(request, response))
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
}
if (settings.roles.includes('poll')) await inbox.run()
