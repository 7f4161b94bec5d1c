import { createReceiver, type ReceiverOptions, signWebhook } from '@formwire/webhook-verify'
import { createDedupe, createMemoryDedupe, createMemoryStore } from '@formwire/webhook-verify/dedupe'
import { createPostgresDedupe, createPostgresStore } from '@formwire/webhook-verify/dedupe/postgres'
import { createRedisDedupe, createRedisStore } from '@formwire/webhook-verify/dedupe/redis'
import { createReceiver as createExpressReceiver } from '@formwire/webhook-verify/express'
import {
  createReceiver as createFastifyReceiver,
  verifyRequest as verifyFastify,
} from '@formwire/webhook-verify/fastify'
import {
  createReceiver as createFetchReceiver,
  verifyRequest as verifyFetch,
} from '@formwire/webhook-verify/fetch'
import {
  createReceiver as createHonoReceiver,
  verifyRequest as verifyHono,
} from '@formwire/webhook-verify/hono'
import { createReceiver as createKoaReceiver, verifyRequest as verifyKoa } from '@formwire/webhook-verify/koa'
import {
  createReceiver as createLambdaReceiver,
  verifyRequest as verifyLambda,
} from '@formwire/webhook-verify/lambda'
import { createPagesReceiver } from '@formwire/webhook-verify/next'
import {
  createReceiver as createNodeReceiver,
  readRawBody,
  verifyRequest as verifyNode,
} from '@formwire/webhook-verify/node'
import { createDelivery, examplePayload } from '@formwire/webhook-verify/testing'
import { signWebhook as signOnWeb } from '@formwire/webhook-verify/web'
import { describe, expect, it } from 'vitest'
import { GOOD, refusalOf, SIGNED_AT, verifiers } from './support.ts'

const delivery = createDelivery({ timestamp: SIGNED_AT, deliveryId: 'dlv_1' })
const redis = { eval: async () => 'claimed' }

describe.each(verifiers)('options of the verifiers ($name)', ({ verify, verifySignature }) => {
  it.each([
    ['tolerance', 'Unknown option "tolerance"; did you mean "toleranceSeconds"?'],
    ['secrets', 'Unknown option "secrets"; did you mean "secret"?'],
    ['clock', 'Unknown option "clock"; known options: secret, headers, body, toleranceSeconds, now.'],
    [
      'x'.repeat(100),
      `Unknown option "${'x'.repeat(40)}"; known options: secret, headers, body, toleranceSeconds, now.`,
    ],
    ['', 'Unknown option ""; known options: secret, headers, body, toleranceSeconds, now.'],
  ])('refuses %j', async (name, message) => {
    const expected = { code: 'invalid_option', status: 500, message }
    expect(await refusalOf(() => verify({ ...GOOD, [name]: undefined }))).toMatchObject(expected)
    expect(await refusalOf(() => verifySignature({ ...GOOD, [name]: 300 }))).toMatchObject(expected)
  })

  it('does not repeat the value of an unknown option', async () => {
    const error = await refusalOf(() => verify({ ...GOOD, secretKey: 'whsec_hidden' } as never))
    expect(error.message).toBe('Unknown option "secretKey"; did you mean "secret"?')
  })

  it.each([undefined, null, 'body', 5, () => {}])('refuses %s as the options', async (options) => {
    expect(await refusalOf(() => verify(options as never))).toMatchObject({ code: 'invalid_option' })
  })

  it('accepts options that inherit members, and options without a prototype', async () => {
    const inheriting = Object.assign(Object.create({ inherited: 1 }), GOOD)
    expect((await verify(inheriting)).type).toBe('response.submitted')
    expect((await verify(Object.assign(Object.create(null), GOOD))).type).toBe('response.submitted')
  })

  it('accepts a test delivery spread into the options', async () => {
    expect((await verify({ ...delivery, now: SIGNED_AT })).deliveryId).toBe('dlv_1')
    const { secret } = delivery
    const tampered = { ...delivery.tamper('changed-body'), secret, now: SIGNED_AT }
    expect((await refusalOf(() => verify(tampered))).code).toBe('no_match')
  })
})

const receivers: Array<[string, (options: ReceiverOptions) => unknown]> = [
  ['.', createReceiver],
  ['/node', createNodeReceiver],
  ['/express', createExpressReceiver],
  ['/fastify', createFastifyReceiver],
  ['/fetch', createFetchReceiver],
  ['/koa', createKoaReceiver],
  ['/lambda', createLambdaReceiver],
  ['/next, Pages Router', createPagesReceiver],
  ['/hono', (options) => createHonoReceiver(options)],
]

describe.each(receivers)('options of createReceiver (%s)', (_entry, create) => {
  const base = { secret: 'whsec_test', on: {} }

  it.each([
    [{ tolerance: 10 }, 'Unknown option "tolerance"; did you mean "toleranceSeconds"?'],
    [{ secrets: ['a'] }, 'Unknown option "secrets"; did you mean "secret"?'],
    [
      { on: { 'response.submited': () => {} } },
      'Unknown event "response.submited" in on; did you mean "response.submitted"?',
    ],
    [
      { on: { 'form.closed': () => {} } },
      'Unknown event "form.closed" in on; known events: response.submitted, test.ping. Use otherwise for others.',
    ],
    [{ on: { 'test.ping': 'handler' } }, 'on["test.ping"] must be a function, got "handler".'],
    [{ on: undefined }, 'on must be an object of handlers, got undefined.'],
    [{ otherwise: {} }, 'otherwise must be a function, got an object.'],
    [{ waitUntil: 5 }, 'waitUntil must be a function, got 5.'],
    [{ onError: 'log' }, 'onError must be a function, got "log".'],
    [{ acknowledge: 'Before' }, 'acknowledge must be "after" or "before", got "Before".'],
    [{ maxBodyBytes: Number.NaN }, 'maxBodyBytes must be a number of bytes above 0, got NaN.'],
    [{ maxBodyBytes: '5' }, 'maxBodyBytes must be a number of bytes above 0, got "5".'],
    [{ maxBodyBytes: 0 }, 'maxBodyBytes must be a number of bytes above 0, got 0.'],
    [
      { dedupe: createMemoryStore },
      'dedupe must have a claim method, as createMemoryDedupe() has, got a function.',
    ],
  ])('refuses %j when the receiver is created', async (change, message) => {
    const error = await refusalOf(() => create({ ...base, ...change } as never))
    expect(error).toMatchObject({ code: 'invalid_option', message })
  })

  it('accepts every option, undefined ones included', () => {
    const { dedupe, onError, otherwise } = { dedupe: createMemoryDedupe(), onError() {}, otherwise() {} }
    const waitUntil = () => {}
    const { now, toleranceSeconds } = { now: 0, toleranceSeconds: 5 }
    const full = { acknowledge: 'before', maxBodyBytes: 1, waitUntil, dedupe, onError, otherwise } as const
    expect(() => create({ ...base, ...full, now, toleranceSeconds })).not.toThrow()
    const absent = Object.fromEntries(Object.keys(full).map((name) => [name, undefined]))
    const on = { 'response.submitted': undefined, 'test.ping': () => {} }
    expect(() => create({ ...base, ...absent, on })).not.toThrow()
    expect(() => create({ ...base, maxBodyBytes: Infinity, acknowledge: 'after' })).not.toThrow()
  })
})

it('suggests path for the Fastify plugin only', async () => {
  const options = { secret: 'whsec_test', on: {} }
  expect(() => createFastifyReceiver({ ...options, path: '/webhooks' })).not.toThrow()
  const misspelled = await refusalOf(() => createFastifyReceiver({ ...options, paht: '/x' } as never))
  expect(misspelled.message).toBe('Unknown option "paht"; did you mean "path"?')
  expect((await refusalOf(() => createNodeReceiver({ ...options, path: '/x' } as never))).message).toMatch(
    /^Unknown option "path"; known options: secret, /,
  )
})

it('checks the options that the function of a Hono receiver returns', async () => {
  const receive = createHonoReceiver(() => ({ secret: 'whsec_test', on: {}, tolerance: 5 }))
  const error = await refusalOf(() => receive({ req: { raw: delivery.toRequest() } }))
  expect(error.message).toBe('Unknown option "tolerance"; did you mean "toleranceSeconds"?')
})

describe('options of verifyRequest', () => {
  const calls: Array<[string, (options: never) => unknown]> = [
    ['/node', (options) => verifyNode(delivery.toIncomingMessage(), options)],
    ['/fetch', (options) => verifyFetch(delivery.toRequest(), options)],
    ['/hono', (options) => verifyHono({ req: { raw: delivery.toRequest() } }, options)],
    ['/koa', (options) => verifyKoa({ req: delivery.toIncomingMessage(), request: {} } as never, options)],
    ['/lambda', (options) => verifyLambda(delivery.toLambdaEvent(), options)],
    ['/fastify', (options) => verifyFastify({ headers: delivery.headers, body: delivery.body }, options)],
  ]
  const good = { secret: 'whsec_test', now: SIGNED_AT }

  it.each(calls)('%s refuses an unknown option', async (_entry, verifyRequest) => {
    const error = await refusalOf(() => verifyRequest({ ...good, toleranceSecond: 5 } as never))
    expect(error.message).toBe('Unknown option "toleranceSecond"; did you mean "toleranceSeconds"?')
  })

  it.each(calls)(
    '%s accepts the options of a receiver, so that both can share them',
    async (_entry, verifyRequest) => {
      const shared = { ...good, on: {}, onError() {}, maxBodyBytes: 100_000, toleranceSeconds: 5 }
      expect(await verifyRequest(shared as never)).toMatchObject({ deliveryId: 'dlv_1' })
    },
  )

  it.each(calls)('%s applies toleranceSeconds and now', async (_entry, verifyRequest) => {
    const late = { secret: 'whsec_test', now: SIGNED_AT.getTime() + 6_000, toleranceSeconds: 5 }
    expect((await refusalOf(() => verifyRequest(late as never))).code).toBe('timestamp_too_old')
  })

  it.each(calls)('%s refuses a maxBodyBytes that is not a number', async (_entry, verifyRequest) => {
    const error = await refusalOf(() => verifyRequest({ ...good, maxBodyBytes: Number.NaN } as never))
    expect(error.message).toBe('maxBodyBytes must be a number of bytes above 0, got NaN.')
  })

  it('readRawBody refuses an unknown option', async () => {
    const error = await refusalOf(() =>
      readRawBody(delivery.toIncomingMessage(), { maxBodySize: 5 } as never),
    )
    expect(error.message).toBe('Unknown option "maxBodySize"; did you mean "maxBodyBytes"?')
  })
})

describe('options of the dedupe stores', () => {
  it.each([
    [
      () => createMemoryDedupe({ clock: 5 } as never),
      'Unknown option "clock"; known options: by, keepMs, toleranceSeconds, claimMs, newOwner, now.',
    ],
    [
      () => createRedisDedupe(redis, { now: Date.now } as never),
      'Unknown option "now"; known options: by, keepMs, toleranceSeconds, claimMs, newOwner, prefix.',
    ],
    [
      () => createDedupe(createMemoryStore(), { by: 'deliveryId' } as never),
      'by must be "signed" or "delivery", got "deliveryId".',
    ],
    [
      () => createPostgresDedupe({ url: 'postgres://' } as never),
      'Unknown option "url"; known options: by, keepMs, toleranceSeconds, claimMs, newOwner, connectionString, pool, schema.',
    ],
    [
      () => createPostgresStore({ pool: {} } as never),
      'pool must be a pool of the package pg, got an object.',
    ],
    [() => createPostgresStore({ schema: '' }), 'schema must be the name of a schema, got "".'],
    [() => createRedisStore(redis, { prefix: 'a' } as never), 'prefix must be a string, got an object.'],
    [() => createMemoryStore({ now: Date.now } as never), 'now must be a function, got an object.'],
    [
      () => createDedupe(createMemoryStore(), { toleranceSeconds: -1 }),
      'toleranceSeconds must be a number of seconds, 0 or more (Infinity accepts any age), got -1.',
    ],
    [() => createMemoryDedupe(null as never), 'The options must be an object, got null.'],
  ])('refuses %s', async (create, message) => {
    expect(await refusalOf(create)).toMatchObject({ code: 'invalid_option', message })
  })

  it('accepts every option, undefined ones included', () => {
    const options = { by: 'delivery', keepMs: 300_000, claimMs: 1, newOwner: () => 'me' } as const
    expect(() => createMemoryDedupe({ ...options, now: () => 0 })).not.toThrow()
    expect(() => createRedisDedupe(redis, { ...options, prefix: '' })).not.toThrow()
    const pool = { query: async () => ({ rows: [] }) }
    expect(() => createPostgresDedupe({ ...options, pool, schema: 'a' })).not.toThrow()
    const absent = { by: undefined, keepMs: undefined, claimMs: undefined, newOwner: undefined }
    expect(() => createMemoryDedupe({ ...absent, now: undefined })).not.toThrow()
    expect(() => createRedisDedupe(redis, { ...absent, prefix: undefined })).not.toThrow()
    const nowhere = { connectionString: undefined, pool: undefined, schema: undefined }
    expect(() => createPostgresDedupe({ ...absent, ...nowhere })).not.toThrow()
  })
})

describe('options of signing', () => {
  const good = { secret: 'whsec_test', event: 'test.ping', payload: examplePayload() }

  it.each([
    ['signWebhook', signWebhook],
    ['signWebhook on the web', signOnWeb],
    ['createDelivery', createDelivery],
  ])('%s refuses unknown options', async (_name, sign) => {
    const refusal = async (options: object) => (await refusalOf(() => sign(options as never))).message
    expect(await refusal({ ...good, deliveryID: 'd' })).toBe(
      'Unknown option "deliveryID"; did you mean "deliveryId"?',
    )
    expect(await refusal({ ...good, id: 'd' })).toBe(
      'Unknown option "id"; known options: secret, event, payload, deliveryId, timestamp.',
    )
  })
})
