import { signWebhook } from '@formwire/webhook-verify'
import { createDedupe, createMemoryDedupe, createMemoryStore } from '@formwire/webhook-verify/dedupe'
import { createPostgresDedupe, createPostgresStore } from '@formwire/webhook-verify/dedupe/postgres'
import { createRedisDedupe, createRedisStore } from '@formwire/webhook-verify/dedupe/redis'
import { readRawBody } from '@formwire/webhook-verify/node'
import { createDelivery, examplePayload } from '@formwire/webhook-verify/testing'
import { signWebhook as signOnWeb } from '@formwire/webhook-verify/web'
import { describe, expect, it } from 'vitest'
import { checkOptions, shown } from '../src/verification/check-options.ts'
import { codeOf, GOOD, refusalOf, SIGNED_AT, verifiers } from './support.ts'

const delivery = createDelivery({ timestamp: SIGNED_AT, deliveryId: 'dlv_1' })
const redis = { eval: async () => 'claimed' }

const NAMES = { secret: true, now: true } as const

it('accepts options with known names, whatever they inherit', () => {
  for (const options of [{}, { secret: 'a', now: undefined }, Object.create({ clock: 1 })])
    expect(() => checkOptions(options, NAMES)).not.toThrow()
})

it.each<[unknown, string]>([
  [undefined, 'The options must be an object, got undefined.'],
  [null, 'The options must be an object, got null.'],
  ['text', 'The options must be an object, got "text".'],
  [{ secrets: undefined }, 'Unknown option "secrets"; did you mean "secret"?'],
  [{ secret: 'a', timer: 1 }, 'Unknown option "timer"; known options: secret, now.'],
  [{ ['x'.repeat(100)]: 1 }, `Unknown option "${'x'.repeat(40)}"; known options: secret, now.`],
  [{ '': 1 }, 'Unknown option ""; known options: secret, now.'],
])('refuses the options %j', async (options, message) => {
  const refusal = await refusalOf(() => checkOptions(options as object, NAMES))
  expect(refusal).toMatchObject({ code: 'invalid_option', message })
})

it.each<[unknown, string]>([
  ['x'.repeat(41), `"${'x'.repeat(40)}"`],
  [new Date(0), '1970-01-01T00:00:00.000Z'],
  [new Date(Number.NaN), 'an invalid Date'],
  [() => 1, 'a function'],
  [{}, 'an object'],
  [[], 'an object'],
  [null, 'null'],
  [undefined, 'undefined'],
  [Number.NaN, 'NaN'],
  [5n, '5'],
])('shows an option of %s as %s', (value, text) => {
  expect(shown(value)).toBe(text)
})

describe.each(verifiers)('options of the verifiers ($name)', ({ verify, verifySignature }) => {
  it.each([
    ['tolerance', 'Unknown option "tolerance"; did you mean "toleranceSeconds"?'],
    ['secrets', 'Unknown option "secrets"; did you mean "secret"?'],
    ['clock', 'Unknown option "clock"; known options: secret, headers, body, toleranceSeconds, now.'],
  ])('refuses %j', async (name, message) => {
    const expected = { code: 'invalid_option', status: 500, message }
    expect(await refusalOf(() => verify({ ...GOOD, [name]: undefined }))).toMatchObject(expected)
    expect(await refusalOf(() => verifySignature({ ...GOOD, [name]: 300 }))).toMatchObject(expected)
  })

  it('accepts a test delivery spread into the options', async () => {
    expect((await verify({ ...delivery, now: SIGNED_AT })).deliveryId).toBe('dlv_1')
    const { secret } = delivery
    const tampered = { ...delivery.tamper('changed-body'), secret, now: SIGNED_AT }
    expect(await codeOf(() => verify(tampered))).toBe('no_match')
  })
})

it('readRawBody refuses an unknown option', async () => {
  const read = () => readRawBody(delivery.toIncomingMessage(), { maxBodySize: 5 } as never)
  expect((await refusalOf(read)).message).toMatch(/^Unknown option "maxBodySize"; did you mean "/)
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
