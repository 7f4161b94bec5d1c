import { join } from 'node:path'
import { memoryCheckpoint } from '@formwire/sdk'
import { fileCheckpoint } from '@formwire/sdk/checkpoint/file'
import * as webhookVerify from '@formwire/webhook-verify'
import { signWebhook } from '@formwire/webhook-verify'
import * as dedupe from '@formwire/webhook-verify/dedupe'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Examples } from '../../../test/support/examples.ts'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import * as inbox from '../src/inbox/index.ts'
import * as sync from '../src/index.ts'
import * as postgres from '../src/postgres/index.ts'
import * as sqlite from '../src/sqlite/index.ts'
import { startPostgres } from './support/postgres-server.ts'
import { clockOf, eventOf, type Service, startService } from './support/service.ts'

const examples = new Examples(import.meta.url, ['../README.md', '../../../docs/reference/sync.md'])
const block = (holding: string): string => examples.block(holding)

describe('the README and the reference', () => {
  let service: Service
  let folder: string
  let form: string
  beforeEach(async () => {
    folder = temporaryDirectory()
    service = await startService()
    form = service.form()
    service.add(form, 3)
  })
  const log = vi.spyOn(console, 'log')
  beforeEach(() => void log.mockReset().mockImplementation(() => undefined))
  afterAll(() => log.mockRestore())
  afterEach(() => service.server.close())

  const modules = (): Record<string, object> => ({
    '@formwire/sdk': {
      Formwire: class {
        constructor() {
          // biome-ignore lint/correctness/noConstructorReturn: the example creates its own client
          return service.client()
        }
      },
    },
    '@formwire/sync': sync,
    '@formwire/sync/sqlite': { sqliteStore: (path: string) => sqlite.sqliteStore(join(folder, path)) },
    '@formwire/sync/inbox': inbox,
    '@formwire/sdk/checkpoint/file': { fileCheckpoint: (name: string) => fileCheckpoint(join(folder, name)) },
    '@formwire/webhook-verify/dedupe': dedupe,
    '@formwire/sdk/checkpoint/redis': { redisCheckpoint: () => memoryCheckpoint() },
    '@formwire/webhook-verify/dedupe/redis': { createRedisDedupe: () => dedupe.createMemoryDedupe() },
    '@formwire/webhook-verify/express': webhookVerify,
    redis: { createClient: () => ({ connect: async () => ({}) }) },
    '@formwire/sync/postgres': postgres,
  })

  const run = (code: string, given: Record<string, unknown>): Promise<unknown> =>
    examples.run(code, modules(), given)

  it('runs the SQLite example', async () => {
    await run(block('summary.inserted'), {})
    expect(log).toHaveBeenCalledExactlyOnceWith('3 new, 0 deleted, 3 requests')
  })

  it('runs the PostgreSQL example', async () => {
    const server = await startPostgres()
    const code = block('postgresStore({').replace('guestvoice01', form)
    await run(code, { process: { env: { FORMWIRE_DATABASE_URL: server.url } } })
    expect(log.mock.calls).toMatchObject([[{ forms: 1, inserted: 3 }]])
    const store = postgres.postgresStore({ connectionString: server.url })
    await store.transaction('', (session) =>
      session.query('CREATE TABLE outbox (form_id TEXT, response_id INTEGER)'),
    )
    service.add(form, 2)
    const given = { createSync: sync.createSync, formwire: service.client(), store }
    await run(block('postgresOutbox'), given)
    expect(await store.read('SELECT response_id FROM outbox ORDER BY response_id')).toEqual([
      { response_id: 4 },
      { response_id: 5 },
    ])
    await store.close()
    await server.stop()
  })

  it('runs the outbox example', async () => {
    const store = sqlite.sqliteStore(join(folder, 'test.db'))
    await run(block('transaction.run('), { createSync: sync.createSync, formwire: service.client(), store })
    expect(await store.read('SELECT response_id FROM outbox ORDER BY response_id')).toEqual([
      { response_id: 1 },
      { response_id: 2 },
      { response_id: 3 },
    ])
    await store.close()
  })

  it('runs the example of following, until a signal ends it', async () => {
    const store = sqlite.sqliteStore(join(folder, 'test.db'))
    const process = { once: (_signal: string, stop: () => void) => stop() }
    const given = { createSync: sync.createSync, formwire: service.client(), store, process }
    await run(block('following.run()'), given)
    expect(log.mock.calls).toMatchObject([[{ forms: 0, inserted: 0 }]])
    await expect(store.read('SELECT 1')).rejects.toMatchObject({ code: 'closed' })
  })

  it('runs the webhook example', async () => {
    const store = sqlite.sqliteStore(join(folder, 'test.db'))
    const stop = new AbortController()
    stop.abort()
    const one = sync.createSync({ formwire: service.client(), store, forms: 'all', signal: stop.signal })
    let receive: ReturnType<typeof webhookVerify.createReceiver> | undefined
    const secret = `whsec_${'s'.repeat(32)}`
    const app = {
      post(_path: string, handler: typeof receive) {
        receive = handler
      },
      listen() {},
    }
    const process = { env: { FORMWIRE_WEBHOOK_SECRET: secret } }
    await run(block('sync.handlers'), { express: () => app, process, sync: one })
    const payload = { ...eventOf('guestvoice01', 9) }
    const { headers, body } = signWebhook({ secret, event: 'response.submitted', payload })
    expect(await receive?.({ headers, body })).toMatchObject({ status: 200 })
    expect(await store.read('SELECT id FROM formwire_responses')).toEqual([{ id: 9 }])
    await store.close()
  })

  it('runs the inbox examples', async () => {
    const stop = new AbortController()
    const receivers: ReturnType<typeof webhookVerify.createReceiver>[] = []
    const app = {
      post: (_path: string, receiver: ReturnType<typeof webhookVerify.createReceiver>) =>
        receivers.push(receiver),
      listen: () => {},
    }
    const formId = service.form('Other')
    service.add(formId, 1, () => '2026-11-20T12:00:00.000Z')
    const createInbox = (options: inbox.InboxOptions): inbox.Inbox => {
      // After the first round.
      const clock = clockOf(service, () => stop.abort())
      return inbox.createInbox({ ...options, forms: [formId], signal: stop.signal, clock })
    }
    await run(block('createInbox({').replace(/^import .*createInbox.*$/m, ''), {
      createInbox,
      express: () => app,
      process: { env: {} },
    })
    expect(log.mock.calls).toEqual([['Response 4 by poll']])
    expect(receivers).toHaveLength(1)
    await run(block('createRedisDedupe(client)'), { process: { env: {} } })
    log.mockClear()
    const another = inbox.createInbox({
      formwire: service.client(),
      forms: [formId],
      dedupe: dedupe.createMemoryDedupe(),
      checkpoint: memoryCheckpoint(),
      handle: () => undefined,
      clock: { now: () => service.server.clock.now(), setTimer: () => () => {} },
    })
    await run(block('inbox.reconcile('), { inbox: another })
    expect(log).toHaveBeenCalledExactlyOnceWith('0 of 1 delivered, 1 lost, 0 may still come')
  })
})
