import { memoryCheckpoint, type Transport } from '@formwire/sdk'
import { createMemoryDedupe } from '@formwire/webhook-verify/dedupe'
import { beforeAll, expect, it } from 'vitest'
import { createFleet } from '../src/fleet/index.ts'
import { readFleetOptions } from '../src/fleet/options.ts'
import { Workspace } from '../src/fleet/workspace.ts'
import { createInbox, postgresQueue } from '../src/inbox/index.ts'
import { createSync, StoreError, SyncUsageError } from '../src/index.ts'
import { postgresStore } from '../src/postgres/index.ts'
import { sqliteStore } from '../src/sqlite/index.ts'
import { type Service, startService } from './support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
  return () => service.server.close()
})

const KEY = 'svc_secret'
const EU = { name: 'eu', apiKeys: [KEY] }
const QUEUE = { add() {}, keepMs: 86_400_000 }

/** What has options, with those that it requires. */
const CREATE = {
  createSync: (more: object) =>
    createSync({ formwire: service.client(), store: sqliteStore('x.db'), forms: 'all', ...more }),
  sqliteStore: (options: object) => sqliteStore(options as never),
  postgresStore: (options: object) => postgresStore(options),
  createInbox: (more: object) =>
    createInbox({
      formwire: service.client(),
      forms: 'all',
      checkpoint: memoryCheckpoint(),
      handle: () => undefined,
      ...('queue' in more ? {} : { dedupe: createMemoryDedupe() }),
      ...more,
    }),
  work: (options: object) => CREATE.createInbox({ queue: QUEUE }).work(options),
  postgresQueue: (options: object) => postgresQueue(options),
  createFleet: (more: object) => createFleet({ workspaces: [EU], ...more }),
  'a workspace': (more: object) => createFleet({ workspaces: [EU, { ...EU, name: 'us', ...more }] }),
}

const PATH = 'sqliteStore() requires the path of a database file, such as "responses.db".'
const POSITIVE = 'must be a positive integer, got'
const ABOVE_0 = 'must be a number of milliseconds above 0, got'
const NO_KEYS = '"workspaces[1].apiKeys" must be a list of one or more keys, none of them empty.'

it.each<[keyof typeof CREATE, object, string]>([
  [
    'createSync',
    { deletions: false, deleted: 'erase' },
    '"deleted" cannot be "erase" with "deletions" false',
  ],
  ['sqliteStore', { path: 'x', journal: 1 }, 'sqliteStore(): unknown name "journal"; use one of path.'],
  ['sqliteStore', { path: '' }, PATH],
  ['sqliteStore', { path: null }, PATH],
  ['postgresStore', { url: 'x' }, 'unknown name "url"; use one of connectionString, pool, schema, poolSize,'],
  ['postgresStore', { poolSize: 0 }, `"poolSize" ${POSITIVE} 0.`],
  ['postgresStore', { poolSize: Number.NaN }, `"poolSize" ${POSITIVE} NaN.`],
  ['postgresStore', { poolSize: 1.5 }, `"poolSize" ${POSITIVE} 1.5.`],
  ['postgresStore', { poolSize: '4' }, `"poolSize" ${POSITIVE} "4".`],
  ['postgresStore', { pool: {}, poolSize: 4 }, '"poolSize" cannot be used with "pool": set the size of your'],
  ['postgresStore', { prepare: 'no' }, '"prepare" must be true or false, got "no".'],
  ['postgresStore', { transactionIdleMs: 0 }, `"transactionIdleMs" ${ABOVE_0} 0.`],
  ['createInbox', { handel: 1 }, 'createInbox(): unknown name "handel"; use one of formwire, forms, dedupe'],
  [
    'createInbox',
    { dedupe: {} },
    '"dedupe" must be an object with claim(), such as createRedisDedupe(client)',
  ],
  ['createInbox', { checkpoint: 'x' }, '"checkpoint" must be a store with load() and save(), such as'],
  ['createInbox', { forms: [] }, '"forms" must be "all" or a list of form ids, got an empty list.'],
  ['createInbox', { handle: undefined }, '"handle" must be a function, got undefined.'],
  ['createInbox', { since: 'soon' }, '"since" must be an ISO 8601 date or date-time, or a Date, got "soon".'],
  ['createInbox', { lookbackMs: -1 }, '"lookbackMs" must be a number of milliseconds from 0, got -1.'],
  ['createInbox', { intervalMs: 0 }, `"intervalMs" ${ABOVE_0} 0.`],
  ['createInbox', { per_page: 101 }, '"per_page" must be an integer from 1 to 100, got 101.'],
  ['createInbox', { queue: {} }, '"queue" must be a queue, such as postgresQueue({ connectionString }), got'],
  ['createInbox', { queue: QUEUE, dedupe: createMemoryDedupe() }, '"dedupe" and "queue" exclude each other'],
  [
    'createInbox',
    { queue: QUEUE, lookbackMs: 86_400_000 },
    'must be less than keepMs of the queue (86400000)',
  ],
  ['work', { concurrency: 0 }, '"concurrency" must be an integer from 1, got 0.'],
  ['work', { pollMs: 0 }, `"pollMs" ${ABOVE_0} 0.`],
  ['work', { workers: 2 }, 'work(): unknown name "workers"'],
  ['postgresQueue', { connection: 'x' }, 'postgresQueue(): unknown name "connection"'],
  ['postgresQueue', { name: 'a b' }, '"name" must be a name of letters'],
  ['postgresQueue', { attempts: 0 }, '"attempts" must be an integer from 1, got 0.'],
  ['postgresQueue', { leaseMs: 9999 }, '"leaseMs" must be a number of milliseconds from 10000, got 9999.'],
  ['postgresQueue', { keepMs: 0 }, `"keepMs" ${ABOVE_0} 0.`],
  ['postgresQueue', { retryDelayMs: -1 }, `"retryDelayMs" ${ABOVE_0} -1.`],
  ['postgresQueue', { onError: 'log' }, '"onError" must be a function'],
  ['createFleet', { workspaces: [] }, '"workspaces" must be a list of workspaces, got an empty list.'],
  ['createFleet', { workers: 2 }, 'unknown name "workers"; use one of connectionString, workspaces,'],
  ['createFleet', { intervalMs: 10 }, '"intervalMs" must be a number of milliseconds from 1000, got 10.'],
  ['createFleet', { concurrency: 0 }, `"concurrency" ${POSITIVE} 0.`],
  ['createFleet', { poolSize: 0.5 }, `"poolSize" ${POSITIVE} 0.5.`],
  ['createFleet', { deleted: 'erase', deletions: false }, '"deleted" cannot be "erase" with "deletions"'],
  ['a workspace', { key: KEY }, 'workspaces[1]: unknown name "key"; use one of name, apiKeys,'],
  ['a workspace', { name: 'eu' }, '"workspaces[1].name" must be a name of its own, got "eu".'],
  ['a workspace', { name: 'e/u' }, '].name" must be a name of letters, digits, ".", "_" and "-", got "e/u".'],
  ['a workspace', { apiKeys: [] }, NO_KEYS],
  ['a workspace', { apiKeys: [KEY, ''] }, NO_KEYS],
  ['a workspace', { apiKeys: KEY }, NO_KEYS],
  ['a workspace', { forms: [1] }, '"workspaces[1].forms" must be "all" or a list of form ids, got a list.'],
])('%s refuses %j', async (what, options, message) => {
  const error = await (async () => CREATE[what](options))().catch((refusal: unknown) => refusal)
  expect(error).toBeInstanceOf(SyncUsageError)
  expect((error as Error).message).toContain(message)
  expect((error as Error).message).not.toContain(KEY)
})

it('refuses an unknown option of a run', async () => {
  const sync = CREATE.createSync({})
  for (const run of [sync.once, sync.run])
    await expect(run({ drafts: true } as object)).rejects.toThrow('unknown name "drafts"; use one of verify.')
})

it('reports a missing driver before any request', async () => {
  const store = sqliteStore('responses.db')
  store.load = () => Promise.reject(new StoreError('no driver', 'no_driver'))
  for (const method of ['once', 'run'] as const)
    await expect(CREATE.createSync({ store })[method]()).rejects.toThrow('no driver')
  expect(service.requests).toBe(0)
})

it('refuses handlers without the name of one of several workspaces', async () => {
  const workspaces = ['eu', 'us'].map((name) => ({ ...EU, name, baseUrl: 'http://127.0.0.1:1' }))
  const fleet = createFleet({ workspaces })
  const message = 'handlers() requires the name of a workspace: "eu", "us".'
  expect(() => fleet.handlers()).toThrow(message)
  expect(() => fleet.handlers('asia')).toThrow(message)
  expect(fleet.handlers('us')).toHaveProperty(['response.submitted'])
  await fleet.stop()
})

it('sends the requests of a workspace by its transport', async () => {
  const sent: string[] = []
  const transport: Transport = async ({ url }) => {
    sent.push(url)
    return { status: 200, headers: new Headers(), body: '{"data":{}}' }
  }
  const one = { ...EU, baseUrl: 'https://x.example', transport }
  const settings = readFleetOptions({ workspaces: [one], rateLimit: false })
  await new Workspace(settings, one, { root: {}, budget: {} } as never).key().formwire.me()
  expect(sent).toEqual(['https://x.example/api/v1/me'])
})
