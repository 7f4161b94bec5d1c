import { DELIVERY_HEADERS } from '@formwire/contract'
import { describe, expect, it } from 'vitest'
import { HEADER, SIGNED_HEADER } from '../src/header-names.ts'
import type { HeadersInput } from '../src/raw-headers.ts'
import { GOOD, HEADERS, refusalOf, SIGNATURE, verifiers } from './support.ts'

const lowerCase = Object.fromEntries(
  Object.entries(HEADERS).map(([name, value]) => [name.toLowerCase(), value]),
)
const upperCase = Object.fromEntries(
  Object.entries(HEADERS).map(([name, value]) => [name.toUpperCase(), value]),
)

it('[DLV-04] names the headers as the contract does', () => {
  expect(HEADER).toEqual(DELIVERY_HEADERS)
  const lowered = Object.entries(SIGNED_HEADER).map(([key, name]) => [key, name.toLowerCase()])
  expect(Object.fromEntries(lowered)).toEqual(DELIVERY_HEADERS)
})

describe.each(verifiers)('headers ($name)', ({ verify }) => {
  it.each<[string, HeadersInput]>([
    ['a plain object', HEADERS],
    ['in lower case', lowerCase],
    ['in upper case', upperCase],
    ['without prototype', Object.assign(Object.create(null), lowerCase)],
    [
      'with arrays of one',
      Object.fromEntries(Object.entries(lowerCase).map(([name, value]) => [name, [value]])),
    ],
    [
      'beside others and undefined ones',
      { host: 'h', 'set-cookie': ['a', 'b'], cookie: undefined, ...lowerCase },
    ],
    ['Headers', new Headers(HEADERS)],
    ['a Map', new Map(Object.entries(HEADERS))],
    ['pairs', Object.entries(HEADERS)],
    ['rawHeaders', Object.entries(HEADERS).flat()],
  ])('[DLV-04] reads %s', async (_shape, headers) => {
    expect(await verify({ ...GOOD, headers })).toMatchObject({ deliveryId: 'dlv_1' })
  })

  it.each<[string, HeadersInput]>([
    ['the signature', omit('X-Service-Signature')],
    ['the timestamp', omit('X-Service-Timestamp')],
    ['all', {}],
    ['all of Headers', new Headers()],
    ['all of a list', []],
    ['the signature, an undefined one', { ...HEADERS, 'X-Service-Signature': undefined }],
    ['the signature, an empty array', { ...HEADERS, 'X-Service-Signature': [] }],
  ])('misses %s', async (_what, headers) => {
    expect(await refusalOf(() => verify({ ...GOOD, headers }))).toMatchObject({
      code: 'missing_header',
      status: 400,
    })
  })

  it.each<[string, HeadersInput]>([
    [
      'an array of two',
      { ...HEADERS, 'X-Service-Signature': [`sha256=${SIGNATURE}`, `sha256=${SIGNATURE}`] },
    ],
    ['two spellings', { ...HEADERS, 'x-service-signature': `sha256=${SIGNATURE}` }],
    ['two spellings of the timestamp', { ...HEADERS, 'X-SERVICE-TIMESTAMP': '1795253400' }],
    ['pairs', [...Object.entries(HEADERS), ['X-Service-Timestamp', '1795253400']]],
    ['rawHeaders', [...Object.entries(HEADERS).flat(), 'X-Service-Delivery', 'dlv_2']],
    ['Headers', new Headers([...Object.entries(HEADERS), ['X-Service-Signature', `sha256=${SIGNATURE}`]])],
    [
      'Headers, the event',
      new Headers([...Object.entries(HEADERS), ['X-Service-Event', 'response.submitted']]),
    ],
    ['a joined value', { ...HEADERS, 'X-Service-Timestamp': '1795253400, 1795253400' }],
    ['a joined delivery id', { ...HEADERS, 'X-Service-Delivery': 'dlv_1,dlv_2' }],
  ])('[DLV-04] refuses a header given twice: %s', async (_shape, headers) => {
    expect(await refusalOf(() => verify({ ...GOOD, headers }))).toMatchObject({ code: 'malformed_header' })
  })

  it.each([
    '',
    SIGNATURE,
    `sha256=${SIGNATURE.toUpperCase()}`,
    `SHA256=${SIGNATURE}`,
    `sha256=${SIGNATURE} `,
    ` sha256=${SIGNATURE}`,
    `sha256= ${SIGNATURE}`,
    `sha256=${SIGNATURE}\n`,
    `sha256=${SIGNATURE.slice(1)}`,
    `sha256=${SIGNATURE}0`,
    `sha256=${SIGNATURE.replace('b', 'g')}`,
    `sha256=${SIGNATURE.replace('1', 'ı')}`,
    `sha1=${SIGNATURE.slice(0, 40)}`,
    `v1,${SIGNATURE}`,
    `sha256=${SIGNATURE},sha256=${SIGNATURE}`,
    `sha256=${'０'.repeat(64)}`,
  ])('[DLV-04] refuses the signature %j', async (signature) => {
    const headers = { ...HEADERS, 'X-Service-Signature': signature }
    const error = await refusalOf(() => verify({ ...GOOD, headers }))
    expect(error.code).toBe('malformed_header')
    expect(error.message.toLowerCase()).not.toContain(SIGNATURE.slice(0, 16))
  })

  it.each([
    '',
    ' 1795253400',
    '1795253400 ',
    '17952 53400',
    '1795253400\n',
    '+1795253400',
    '-1795253400',
    '1795253400.0',
    '1.7952534e9',
    '0x6b01a2b8',
    '01795253400',
    '１７９５２５３４００',
    '2026-11-21T09:30:00Z',
    'NaN',
    'Infinity',
    '9'.repeat(13),
    '9'.repeat(400),
  ])('[DLV-04] refuses the timestamp %j', async (timestamp) => {
    const headers = { ...HEADERS, 'X-Service-Timestamp': timestamp }
    const error = await refusalOf(() => verify({ ...GOOD, headers, toleranceSeconds: Infinity }))
    expect(error.code).toBe('malformed_header')
  })

  it.each(['', 'dlv 1', 'dlv_1\n', 'dlv\u0000', 'dlv_ü', 'd'.repeat(257)])(
    'refuses the delivery id %j',
    async (deliveryId) => {
      const headers = { ...HEADERS, 'X-Service-Delivery': deliveryId }
      expect(await refusalOf(() => verify({ ...GOOD, headers }))).toMatchObject({ code: 'malformed_header' })
    },
  )

  it('refuses a value that is no string', async () => {
    const headers = { ...HEADERS, 'X-Service-Timestamp': 1795253400 } as unknown as HeadersInput
    expect((await refusalOf(() => verify({ ...GOOD, headers }))).message).toBe(
      'The header x-service-timestamp is a number, not a string.',
    )
  })

  it.each([undefined, null, 'headers', [5], new Set([5])])('refuses %j as headers', async (headers) => {
    expect(await refusalOf(() => verify({ ...GOOD, headers: headers as never }))).toMatchObject({
      code: 'invalid_option',
    })
  })
})

function omit(unwanted: string): HeadersInput {
  return Object.fromEntries(Object.entries(HEADERS).filter(([name]) => name !== unwanted))
}
