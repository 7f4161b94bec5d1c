// The CommonJS packages in Jest without a flag: with fake timers, and everything that a package loads when it is first used, since
// CommonJS has no `import()` there.
const { createServer } = require('node:http')
const { once } = require('node:events')
const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { gzipSync } = require('node:zlib')
const { makeQuestion, startFormwire } = require('@formwire/reference-server/testing')
const { Formwire } = require('@formwire/sdk')
const { nodeTransport } = require('@formwire/sdk/node')
const { undiciTransport } = require('@formwire/sdk/undici')
const { postgresCheckpoint } = require('@formwire/sdk/checkpoint/postgres')
const { createSync } = require('@formwire/sync')
const { sqliteStore } = require('@formwire/sync/sqlite')
const { postgresStore } = require('@formwire/sync/postgres')
const { createPostgresDedupe } = require('@formwire/webhook-verify/dedupe/postgres')

const NOWHERE = 'postgres://127.0.0.1:1/nowhere'
const EMPTY = { data: [], meta: { page: 1, per_page: 25, total: 0 } }

let kit
beforeAll(async () => {
  kit = await startFormwire()
})
afterAll(() => kit.close())

test('a delivery and its retry, while every timer of the test is fake', async () => {
  jest.useFakeTimers()
  try {
    const { server, receiver } = kit
    const draft = server.app.forms.create({ title: 'Feedback', questions: [makeQuestion('nps')] })
    const form = server.app.forms.publish(draft.id)
    await kit.connectReceiver(form.id)
    receiver.respond('500', 'slow(20)')
    server.app.responses.create(form.id, { deliver: true })
    await kit.waitForDelivery({ status: 'pending', http_status: 500 })
    await server.clock.advance('1m')
    await kit.waitForDelivery({ status: 'delivered', attempts: 2 })
    expect((await new Formwire(kit.clientOptions).forms.get(form.id)).title).toBe('Feedback')
  } finally {
    jest.useRealTimers()
  }
})

test('zod, to validate responses', async () => {
  const page = await new Formwire({ ...kit.clientOptions, validate: 'throw' }).forms.list()
  expect(page.meta.total).toBe(1)
})

describe('a compressed answer', () => {
  let server
  beforeAll(async () => {
    server = createServer((_, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      answer.end(gzipSync(JSON.stringify(EMPTY)))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterAll(() => server.close())

  test.each([
    ['nodeTransport', nodeTransport],
    ['undiciTransport', undiciTransport],
  ])('over %s', async (_, createTransport) => {
    const transport = createTransport()
    const baseUrl = `http://127.0.0.1:${server.address().port}`
    const page = await new Formwire({ apiKey: 'svc_jest', baseUrl, transport }).forms.list()
    expect(page.meta.total).toBe(0)
    await transport.close?.()
  })
})

test('TLS, for nodeTransport', async () => {
  const options = { apiKey: 'svc_jest', baseUrl: 'https://127.0.0.1:1', maxRetries: 0 }
  const refused = new Formwire({ ...options, transport: nodeTransport() }).forms.list()
  await expect(refused).rejects.toMatchObject({ name: 'ConnectionError', systemCode: 'ECONNREFUSED' })
})

test('SQLite, for a store of sync', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'formwire-jest-'))
  const store = sqliteStore(join(folder, 'responses.db'))
  try {
    await createSync({ formwire: new Formwire(kit.clientOptions), store, forms: 'all' }).once()
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
})

test('pg, for what is kept in PostgreSQL', async () => {
  const refused = { message: expect.stringContaining('ECONNREFUSED') }
  const dedupe = createPostgresDedupe({ connectionString: NOWHERE })
  await expect(dedupe.claim({ deliveryId: 'jest' })).rejects.toMatchObject(refused)
  const checkpoint = postgresCheckpoint({ connectionString: NOWHERE })
  await expect(checkpoint.load('key')).rejects.toMatchObject(refused)
  const store = postgresStore({ connectionString: NOWHERE })
  const sync = createSync({ formwire: new Formwire(kit.clientOptions), store, forms: 'all' })
  await expect(sync.once()).rejects.toMatchObject(refused)
})
