import { DELIVERY_HEADERS } from '@formwire/contract'
import { type HeadersInput, signatureHeader } from '@formwire/webhook-verify'
import { describe, expect, it } from 'vitest'
import { HEADER } from '../../src/verification/headers.ts'
import { BODY, codeOf, GOOD, HEADERS, refusalOf, SECRET, SIGNATURE, verifiers } from '../support.ts'

const lowerCase = Object.fromEntries(
  Object.entries(HEADERS).map(([name, value]) => [name.toLowerCase(), value]),
)
it('[DLV-04] uses the header names of the contract', () => {
  expect(HEADER).toEqual(DELIVERY_HEADERS)
})

describe.each(verifiers)('headers ($name)', ({ verify }) => {
  it.each<[string, HeadersInput]>([
    ['a plain object', HEADERS],
    ['without prototype', Object.assign(Object.create(null), lowerCase)],
    [
      'with arrays of one value',
      Object.fromEntries(Object.entries(lowerCase).map(([name, value]) => [name, [value]])),
    ],
    [
      'among other and undefined headers',
      { host: 'h', 'set-cookie': ['a', 'b'], cookie: undefined, ...lowerCase },
    ],
    ['Headers', new Headers(HEADERS)],
    ['a Map', new Map(Object.entries(HEADERS))],
    ['pairs', Object.entries(HEADERS)],
    ['rawHeaders', Object.entries(HEADERS).flat()],
    [
      'rawHeaders with a value that is a header name',
      ['X-Note', 'X-Service-Event', 'Host', 'h', ...Object.entries(HEADERS).flat()],
    ],
    [
      'a Map with a name that is not a string',
      new Map<unknown, string>([[5, 'x'], ...Object.entries(HEADERS)]) as never,
    ],
    ['a second spelling that is undefined', { ...HEADERS, 'x-service-signature': undefined }],
    ['a header named 0', { 0: 'x', ...HEADERS }],
  ])('[DLV-04] reads %s', async (_shape, headers) => {
    expect(await verify({ ...GOOD, headers })).toMatchObject({ deliveryId: 'dlv_1' })
  })

  /** The refusal of a delivery of which one header differs. */
  const refusalWith = (name: keyof typeof HEADERS, value: unknown) =>
    refusalOf(() => verify({ ...GOOD, headers: { ...HEADERS, [name]: value } as HeadersInput }))

  it.each<[string, HeadersInput]>([
    ['all of Headers', new Headers()],
    ['all of a list', []],
    ['an undefined signature', { ...HEADERS, 'X-Service-Signature': undefined }],
    ['an inherited signature', Object.assign(Object.create(lowerCase), omit('X-Service-Signature'))],
    ['a null signature', { ...HEADERS, 'X-Service-Signature': null as never }],
    ['an empty array as the signature', { ...HEADERS, 'X-Service-Signature': [] }],
  ])('reports missing headers: %s', async (_what, headers) => {
    expect(await refusalOf(() => verify({ ...GOOD, headers }))).toMatchObject({
      code: 'missing_header',
      status: 400,
    })
  })

  it.each<[string, HeadersInput]>([
    ['two spellings', { ...HEADERS, 'x-service-signature': `sha256=${SIGNATURE}` }],
    ['two spellings of the timestamp', { ...HEADERS, 'X-SERVICE-TIMESTAMP': '1795253400' }],
    ['pairs', [...Object.entries(HEADERS), ['X-Service-Timestamp', '1795253400']]],
    ['pairs, the event', [...Object.entries(HEADERS), ['X-Service-Event', 'response.submitted']]],
    ['rawHeaders', [...Object.entries(HEADERS).flat(), 'X-Service-Delivery', 'dlv_2']],
    ['Headers', new Headers([...Object.entries(HEADERS), ['X-Service-Signature', `sha256=${SIGNATURE}`]])],
    [
      'Headers, the event',
      new Headers([...Object.entries(HEADERS), ['X-Service-Event', 'response.submitted']]),
    ],
    ['a joined value', { ...HEADERS, 'X-Service-Timestamp': '1795253400, 1795253400' }],
    ['a joined delivery id', { ...HEADERS, 'X-Service-Delivery': 'dlv_1,dlv_2' }],
  ])('[DLV-04] refuses a repeated header: %s', async (_shape, headers) => {
    expect(await codeOf(() => verify({ ...GOOD, headers }))).toBe('malformed_header')
  })

  const COMMA = 'it contains a comma, which usually means that the header was sent twice'
  const SPACE = 'it contains white space'
  const CASE = 'its hex digits must be lowercase'
  const PREFIX = 'it does not start with "sha256="'
  const digits = (count: number) =>
    `"sha256=" must be followed by 64 lowercase hex digits, got ${count} characters`

  it.each<[string, string]>([
    [SIGNATURE, PREFIX],
    [`SHA256=${SIGNATURE}`, PREFIX],
    [`sha256=${SIGNATURE.toUpperCase()}`, CASE],
    [`sha256=${SIGNATURE} `, SPACE],
    [`sha256=${SIGNATURE}\n`, SPACE],
    [`sha256=${SIGNATURE.slice(1)}`, digits(63)],
    [`sha256=${SIGNATURE.toUpperCase()}0`, digits(65)],
    [`sha256=${SIGNATURE.replace('1', 'ı')}`, digits(64)],
    [`sha256=${'０'.repeat(64)}`, digits(64)],
    [`v1,${SIGNATURE}`, COMMA],
    [`sha256=${SIGNATURE},sha256=${SIGNATURE}`, COMMA],
    [`${SIGNATURE.slice(1)},a`, COMMA],
  ])('[DLV-04] refuses the signature %j, and says what is wrong with it', async (signature, reason) => {
    expect(await refusalWith('X-Service-Signature', signature)).toMatchObject({
      code: 'malformed_header',
      message: `The header x-service-signature is malformed: ${reason}.`,
    })
  })

  it.each([
    ' 1795253400',
    '1795253400 ',
    '17952 53400',
    '1795253400\n',
    '0x6b01a2b8',
    '１７９５２５３４００',
    'NaN',
    'Infinity',
    '9'.repeat(13),
    '9'.repeat(400),
  ])('[DLV-04] refuses the timestamp %j', async (timestamp) => {
    const headers = { ...HEADERS, 'X-Service-Timestamp': timestamp }
    const error = await refusalOf(() => verify({ ...GOOD, headers, toleranceSeconds: Infinity }))
    expect(error.code).toBe('malformed_header')
  })

  const VISIBLE = 'must be 1 to 256 visible ASCII characters without white space'
  it.each<[deliveryId: string, reason: string]>([
    ['', `${VISIBLE}, got ""`],
    ['dlv 1', `${VISIBLE}, got "dlv 1"`],
    ['dlv_1\n', `${VISIBLE}, got "dlv_1\\n"`],
    ['dlv\u0000', `${VISIBLE}, got "dlv\\u0000"`],
    ['dlv\u007f', `${VISIBLE}, got "dlv\u007f"`],
    ['dlv_ü', `${VISIBLE}, got "dlv_ü"`],
    [` ${'d'.repeat(39)}`, `${VISIBLE}, got " ${'d'.repeat(39)}"`],
    ['d'.repeat(257), `${VISIBLE}, got "${'d'.repeat(40)}…"`],
    ['a,b', 'contains a comma, which usually means that the header was sent twice, got "a,b"'],
  ])('refuses the delivery id %j', async (deliveryId, reason) => {
    expect(await refusalWith('X-Service-Delivery', deliveryId)).toMatchObject({
      code: 'malformed_header',
      message: `The header x-service-delivery ${reason}.`,
    })
  })

  it('[DLV-04] accepts the last second that a Date can represent, and refuses the next', async () => {
    const at = (seconds: number) => ({
      ...HEADERS,
      'X-Service-Timestamp': String(seconds),
      'X-Service-Signature': signatureHeader(SECRET, seconds, BODY),
    })
    const event = await verify({ ...GOOD, headers: at(8_640_000_000_000), toleranceSeconds: Infinity })
    expect(event.timestamp.toISOString()).toBe('+275760-09-13T00:00:00.000Z')
    const next = { ...GOOD, headers: at(8_640_000_000_001), toleranceSeconds: Infinity }
    expect(await codeOf(() => verify(next))).toBe('malformed_header')
  })

  it('accepts a delivery id of 256 characters', async () => {
    const headers = { ...HEADERS, 'X-Service-Delivery': 'd'.repeat(256) }
    expect((await verify({ ...GOOD, headers })).deliveryId).toBe('d'.repeat(256))
  })

  it.each<[name: keyof typeof HEADERS, value: unknown, message: string]>([
    ['X-Service-Signature', [`sha256=${SIGNATURE}`, ''], 'signature was given more than once.'],
    ['X-Service-Timestamp', 1795253400, 'timestamp is a number, not a string.'],
    [
      'X-Service-Timestamp',
      `1\u0000${'2'.repeat(100)}`,
      `timestamp must be plain decimal Unix seconds, got "1\\u0000${'2'.repeat(38)}…".`,
    ],
  ])('says what is wrong with %s: %j', async (name, value, message) => {
    expect((await refusalWith(name, value)).message).toBe(`The header x-service-${message}`)
  })

  it.each([undefined, null, 'headers', [5], new Set([5])])('refuses %j as headers', async (headers) => {
    expect(await codeOf(() => verify({ ...GOOD, headers: headers as never }))).toBe('invalid_option')
  })
})

function omit(unwanted: string): HeadersInput {
  return Object.fromEntries(Object.entries(HEADERS).filter(([name]) => name !== unwanted))
}
