import { exceededLimit } from '@formwire/internal/json'
import { describe, expect, it } from 'vitest'
import { BodyTooLargeError } from '../../src/domain/service-error.ts'
import { readJsonObject, readOptionalJsonObject } from '../../src/http/body.ts'
import type { IncomingMessage } from '../../src/http/message.ts'
import { DEFAULT_UNSPECIFIED, type Unspecified } from '../../src/unspecified.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

/** A request with a body, none of it larger than allowed. */
const request = (body: string | Uint8Array, headers: Record<string, string> = JSON_TYPE) =>
  ({
    headers: { get: (name: string) => headers[name] },
    readBody: async (maxBytes: number) => {
      const bytes = Buffer.from(body)
      if (bytes.length > maxBytes) throw new BodyTooLargeError(maxBytes)
      return bytes
    },
  }) as unknown as IncomingMessage

/** How reading a body ends: its JSON, or the status, code and message of the error. */
async function outcome(one: IncomingMessage, unspecified: Partial<Unspecified> = {}): Promise<unknown> {
  try {
    return JSON.parse(
      JSON.stringify(await readJsonObject(one, 1_048_576, { ...DEFAULT_UNSPECIFIED, ...unspecified })),
    )
  } catch (error) {
    const { status, code, message } = error as { status: number; code: string; message: string }
    return [status, code, message]
  }
}

describe('a JSON body', () => {
  it('[ERR-01] is an object without a prototype', async () => {
    const body = await readJsonObject(request('{"a":{"b":1}}'), 100)
    expect(Object.getPrototypeOf(body)).toBeNull()
    expect(body).toEqual({ a: { b: 1 } })
  })

  it.each([
    ['', 'A JSON body is required.'],
    ['{', 'The body is not valid JSON.'],
    [Uint8Array.of(0x22, 0xff, 0x22), 'The body is not valid JSON.'],
    ['null', 'The body must be a JSON object.'],
    ['[]', 'The body must be a JSON object.'],
    ['"x"', 'The body must be a JSON object.'],
    ['7', 'The body must be a JSON object.'],
  ])('[ERR-01] is not %j', async (body, message) => {
    expect(await outcome(request(body))).toEqual([400, 'bad_request', message])
  })
})

describe('the headers of a JSON body', () => {
  const NOT_JSON = 'The Content-Type of the body must be application/json.'
  const NOT_UTF8 = 'JSON must be encoded as UTF-8.'

  it.each([
    'application/json',
    ' Application/JSON ; profile=x; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=utf8',
  ])('[ERR-01] may have the content type %j', async (type) => {
    expect(await outcome(request('{}', { 'content-type': type }))).toEqual({})
  })

  it.each([
    [{}, NOT_JSON],
    [{ 'content-type': 'text/json' }, NOT_JSON],
    [{ 'content-type': 'application/jsonp' }, NOT_JSON],
    [{ 'content-type': 'application/json; charset=utf-16' }, NOT_UTF8],
    [{ 'content-type': 'application/json; charset=utf-8x' }, NOT_UTF8],
    [{ 'content-type': 'application/json; charset=x-utf-8' }, NOT_UTF8],
    [{ ...JSON_TYPE, 'content-encoding': 'gzip' }, 'The body must be sent without a Content-Encoding.'],
  ])('[ERR-01] may not be %j', async (headers: Record<string, string>, message) => {
    expect(await outcome(request('{}', headers))).toEqual([400, 'bad_request', message])
  })
})

describe('an optional JSON body', () => {
  it('[ERR-01] may be empty, whatever its content type', async () => {
    expect(await readOptionalJsonObject(request('', { 'content-type': 'text/plain' }), 100)).toBeUndefined()
    expect(await readOptionalJsonObject(request('{"a":1}'), 100)).toEqual({ a: 1 })
    await expect(readOptionalJsonObject(request('{}', {}), 100)).rejects.toMatchObject({ status: 400 })
    await expect(readOptionalJsonObject(request('[]'), 100)).rejects.toMatchObject({ status: 400 })
  })
})

describe('the depth of a JSON body', () => {
  it('[ERR-01] is at most 120,000 levels', async () => {
    const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}1${']'.repeat(levels - 1)}}`
    expect(Object.keys(await readJsonObject(request(nested(120_000)), 1_048_576))).toEqual(['a'])
    expect(await outcome(request(nested(120_001)))).toEqual([
      400,
      'bad_request',
      'The body is nested more than 120000 levels deep.',
    ])
  })

  it.each([
    ['[[1]]', 2],
    ['{"a":{}}', 2],
    ['[{}]', 2],
    ['[[],[],{},[[]]]', 3],
    ['{"a":"[{","b":[]}', 2],
    ['{"a":"\\"[{","b":[]}', 2],
    ['{"a":"\\\\","b":[[]]}', 3],
    ['["\\"",[[]]]', 3],
    ['[[[[', 4],
    ['1', 0],
  ])('[ERR-01] of %s is %i', (json, levels) => {
    const exceeded = [levels - 1, levels, levels + 1].map((depth) =>
      exceededLimit(json, { depth, values: 99 }),
    )
    expect(exceeded).toEqual(['depth', undefined, undefined])
  })

  it.each([
    ['[1,2,"a,b[{"]', 3],
    ['{"a":1,"b":[2,3]}', 4],
    ['[{},{}]', 4],
  ])('[ERR-01] of %s counts %i values', (json, count) => {
    const exceeded = [count - 1, count].map((values) => exceededLimit(json, { depth: 9, values }))
    expect(exceeded).toEqual(['values', undefined])
  })
})
