/** Runs the recipes of docs/how-to. Those whose modules need a network are only compiled. */
import { once } from 'node:events'
import * as fs from 'node:fs'
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs'
import * as promises from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import * as kitModule from '@formwire/reference-server/testing'
import { type FormwireKit, startFormwire } from '@formwire/reference-server/testing'
import * as sdk from '@formwire/sdk'
import * as checkpointFile from '@formwire/sdk/checkpoint/file'
import { sqliteStore } from '@formwire/sync/sqlite'
import * as dedupe from '@formwire/webhook-verify/dedupe'
import * as expressAdapter from '@formwire/webhook-verify/express'
import * as honoAdapter from '@formwire/webhook-verify/hono'
import * as nodeAdapter from '@formwire/webhook-verify/node'
import { createDelivery } from '@formwire/webhook-verify/testing'
import express from 'express'
import * as hono from 'hono'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { describeDedupe } from '../../packages/webhook-verify/test/dedupe/dedupe-suite.ts'
import { exampleOf, runExample } from '../support/examples.ts'
import { PATIENT } from '../support/patience.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const FORM = 'guestvoice01'
let kit: FormwireKit
let folder: string
beforeEach(async () => {
  folder = temporaryDirectory()
  const make = await kitModule.createSeedFactory(1)
  kit = await startFormwire({ seed: make.seed(make.form({ id: FORM, responses: 3 })), limits: 'off' })
})
afterEach(async () => {
  vi.useRealTimers()
  await kit.close()
})

/** The SDK, with a client of the kit, and a poll that ends. */
function sdkOfKit(): object {
  class Formwire extends sdk.Formwire {
    constructor() {
      super(kit.clientOptions)
      const { responses } = this
      const poll = responses.poll.bind(responses)
      responses.poll = (id, options) => poll(id, { ...options, once: true })
    }
  }
  return { ...sdk, Formwire }
}

/** What receivers and pollers of the recipes have handled, and their environment. */
const handled: { id: number }[] = []
const env: Record<string, string> = {}
const printed: unknown[][] = []
const listening: Server[] = []
afterEach(() => {
  for (const server of listening.splice(0)) server.close()
  for (const list of [handled, printed]) list.length = 0
})

/** Runs the only recipe of a page that contains a text. Redis is replaced by memory. */
function run(page: string, holding: string, modules: Record<string, object> = {}) {
  const redis = { on: () => undefined, connect: async () => ({}) }
  return runExample(exampleOf(page, holding), {
    modules: {
      '@formwire/reference-server/testing': kitModule,
      '@formwire/sdk': sdkOfKit(),
      '@formwire/sdk/checkpoint/file': {
        fileCheckpoint: (path: string) => checkpointFile.fileCheckpoint(join(folder, path)),
      },
      '@formwire/sdk/checkpoint/redis': { redisCheckpoint: () => sdk.memoryCheckpoint() },
      '@formwire/webhook-verify/dedupe': dedupe,
      '@formwire/webhook-verify/dedupe/redis': { createRedisDedupe: () => dedupe.createMemoryDedupe() },
      '@formwire/webhook-verify/hono': honoAdapter,
      '@formwire/webhook-verify/node': nodeAdapter,
      express: { default: express },
      hono,
      'node:fs': fs,
      'node:fs/promises': promises,
      redis: { createClient: () => redis },
      ...modules,
    },
    values: {
      process: { env },
      handle: (response: { id: number }) => handled.push(response),
      console: { log: (...line: unknown[]) => printed.push(line) },
    },
  })
}

/** Lets a server listen. Returns its URL. */
async function listen(server: Server): Promise<string> {
  listening.push(server)
  if (!server.listening) await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

const deliveryOf = (secret: string) => {
  const { headers, body } = createDelivery({ secret, timestamp: new Date() })
  return { method: 'POST', headers, body }
}

describe('test-environments.md', () => {
  it.each(['closes the form a day after', 'gives up after three retries'])(
    'has a test that %s',
    async (title) => {
      let test: (() => Promise<void>) | undefined
      const register = (_title: string, body: () => Promise<void>) => {
        test = body
      }
      await run('test-environments.md', title, {
        '@formwire/sdk': sdk,
        vitest: { expect, vi, test: register, afterEach: () => undefined },
      })
      expect(test).toBeDefined()
      await test?.()
    },
  )
})

describe('several-processes.md', () => {
  it('keeps a position of each program', async () => {
    await run('several-processes.md', 'newsletter')
    expect(handled).toHaveLength(3)
    expect(readdirSync(join(folder, 'checkpoints'))).toEqual(['guestvoice01-newsletter.json'])
  })

  it('has a poller that handles what comes', async () => {
    await run('several-processes.md', 'redisCheckpoint({ client })')
    expect(handled).toHaveLength(3)
  })

  it('has a client of each workspace', async () => {
    await run('several-processes.md', 'SCHOOL_KEY')
    const { name } = (await new sdk.Formwire(kit.clientOptions).me()).workspace
    expect(printed).toEqual([
      ['hotel', name],
      ['school', name],
    ])
  })
})

describe('rotate-secret.md', () => {
  it('[HOOK-08] reads the secrets of a file for each delivery', async () => {
    const path = join(folder, 'secrets')
    env.FORMWIRE_SECRETS_FILE = path
    const { receiver } = (await run('rotate-secret.md', 'FORMWIRE_SECRETS_FILE')) as { receiver: hono.Hono }
    const send = async (secret: string) => (await receiver.request('/hook', deliveryOf(secret))).status
    expect(await send('whsec_old')).toBe(503)
    writeFileSync(path, 'whsec_old\n')
    expect([await send('whsec_old'), await send('whsec_new')]).toEqual([200, 401])
    writeFileSync(path, 'whsec_new\nwhsec_old\n')
    expect([await send('whsec_old'), await send('whsec_new')]).toEqual([200, 200])
    writeFileSync(path, 'whsec_new\n')
    expect(await send('whsec_old')).toBe(401)
  })

  /** Starts the receiver of the page, on the clock of the server. */
  async function startReceiver(): Promise<string> {
    const createReceiver = (options: expressAdapter.ReceiverOptions) =>
      expressAdapter.createReceiver({ ...options, now: () => kit.server.clock.now(), onError: () => {} })
    const { app } = await run('rotate-secret.md', 'FORMWIRE_WEBHOOK_SECRETS', {
      '@formwire/webhook-verify/express': { createReceiver },
    })
    return await listen((app as ReturnType<typeof express>).listen(0, '127.0.0.1'))
  }

  it('in place: a delivery that was refused arrives with its retry', async () => {
    const { app, clock } = kit.server
    const hook = await app.webhooks.create(FORM, { url: await startReceiver() })
    env.FORMWIRE_WEBHOOK_SECRETS = hook.secret
    const { secret } = app.webhooks.rotateSecret(FORM, hook.id)
    const { id } = app.responses.create(FORM, { deliver: true })
    await kit.waitForDelivery({ status: 'pending', http_status: 401 }, PATIENT)

    env.FORMWIRE_WEBHOOK_SECRETS = `${secret},${hook.secret}`
    await clock.advance('1m')
    await kit.waitForDelivery({ status: 'delivered', attempts: 2 }, PATIENT)
    expect(handled).toMatchObject([{ id }])
  })

  it('with a second endpoint: each response is handled once, and the older endpoint is deleted', async () => {
    const { app, clock } = kit.server
    const url = await startReceiver()
    const old = await app.webhooks.create(FORM, { url })
    const { addEndpoint, deleteOlderEndpoints } = (await run('rotate-secret.md', 'addEndpoint')) as {
      addEndpoint(form: string, url: string): Promise<string>
      deleteOlderEndpoints(form: string, url: string): Promise<void>
    }

    env.FORMWIRE_WEBHOOK_SECRETS = `${await addEndpoint(FORM, url)},${old.secret}`
    const { id } = app.responses.create(FORM, { deliver: true })
    await clock.advance('1h')
    expect(handled).toMatchObject([{ id }])
    await deleteOlderEndpoints(FORM, url)
    expect(app.webhooks.list(FORM).map((hook) => hook.id)).toEqual([old.id + 1])
  })
})

describe('webhook-delivery.md', () => {
  it('finds what was missed', async () => {
    const known = new Set<number>([1])
    const { catchUp } = await runExample(
      exampleOf('../explanation/webhook-delivery.md', 'function catchUp'),
      {
        modules: { '@formwire/sdk': sdk },
        values: { handleOnce: async ({ id }: { id: number }) => !known.has(id) && Boolean(known.add(id)) },
      },
    )
    const formwire = new sdk.Formwire(kit.clientOptions)
    expect(await (catchUp as (...args: unknown[]) => Promise<number>)(formwire, FORM, new Date(0))).toBe(2)
    expect(known.size).toBe(3)
  })
})

describe('dedupe.md', () => {
  beforeEach(() => {
    env.FORMWIRE_WEBHOOK_SECRET = 'whsec_test'
  })

  it('handles a delivery once with Redis', async () => {
    const { receive } = (await run('dedupe.md', 'disableOfflineQueue')) as { receive: RequestListener }
    const url = await listen(createServer(receive).listen(0, '127.0.0.1'))
    const delivery = deliveryOf('whsec_test')
    const send = async () => (await fetch(url, delivery)).text()
    expect([await send(), await send()]).toEqual(['ok', 'duplicate: already handled'])
    expect(handled).toHaveLength(1)
  })

  it('handles a delivery once in Hono', async () => {
    const { app } = (await run('dedupe.md', "from 'hono'")) as { app: hono.Hono }
    const delivery = deliveryOf('whsec_test')
    const send = async () => (await app.request('/hook', delivery)).text()
    expect([await send(), await send()]).toEqual(['ok', 'duplicate: already handled'])
    expect(handled).toHaveLength(1)
  })
})

const openFileStore = async (path: string, now?: () => number): Promise<dedupe.DedupeStore> => {
  const { fileStore } = await run('dedupe.md', 'function fileStore')
  return await (fileStore as (path: string, now?: () => number) => Promise<dedupe.DedupeStore>)(path, now)
}

describeDedupe('the store in a file of dedupe.md', async () => {
  let nowMs = 1
  const store = await openFileStore(join(folder, 'handled.log'), () => nowMs)
  return {
    store,
    expireClaims: async () => {
      nowMs += 5 * 60_000
    },
  }
})

describe('the store in a file of dedupe.md', () => {
  it('[DLV-10] remembers after a restart what was completed, also when a crash has cut the last line', async () => {
    const path = join(folder, 'handled.log')
    const before = await openFileStore(path)
    await before.claim(['one; two'], 'a', 1_000)
    expect(await before.complete(['one; two'], 'a', 60_000)).toBe(true)
    await before.claim(['claimed'], 'a', 60_000)
    appendFileSync(path, '\n99999999999999 cut')
    const after = await openFileStore(path)
    expect(await after.claim(['one; two'], 'b', 1_000)).toBe('completed')
    expect(await after.claim(['claimed', 'cut'], 'b', 1_000)).toBe('claimed')
    await after.complete(['claimed'], 'b', 60_000)
    const last = await openFileStore(path)
    expect(await last.claim(['claimed'], 'c', 1_000)).toBe('completed')
  })

  it('forgets what has expired', async () => {
    const path = join(folder, 'handled.log')
    let now = 1
    await (await openFileStore(path, () => now)).complete(['one'], 'a', 1_000)
    now = 1_001
    expect(await (await openFileStore(path, () => now)).claim(['one'], 'b', 1_000)).toBe('claimed')
  })
})

/** The store of the page, in SQLite. */
async function openSqlStore(path: string, now: () => number) {
  const store = sqliteStore(path)
  const { sqlStore, CLAIMS } = await run('dedupe.md', 'function sqlStore')
  const query = (sql: string, values: readonly (string | number)[] = []) =>
    store.transaction('', (session) => session.query(sql, values))
  await query(CLAIMS as string)
  return {
    store,
    dedupeStore: (sqlStore as (run: unknown, now: () => number) => dedupe.DedupeStore)(query, now),
  }
}

const databases: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const database of databases.splice(0)) await database.close()
})

describeDedupe('the SQL store of dedupe.md', async () => {
  let nowMs = 1
  const { store, dedupeStore } = await openSqlStore(join(temporaryDirectory(), 'claims.db'), () => nowMs)
  databases.push(store)
  return {
    store: dedupeStore,
    expireClaims: async () => {
      nowMs += 5 * 60_000
    },
  }
})
