import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../src/domain/service-error.ts'
import { completeResponse, encodeResponse, withoutBody } from '../../src/http/finish-response.ts'
import { createRequestIds } from '../../src/http/journal.ts'
import {
  cachedItem,
  cachedList,
  errorResponse,
  internalErrorResponse,
  item,
  jsonList,
  noContent,
} from '../../src/http/json-response.ts'
import type { IncomingMessage, OutgoingMessage } from '../../src/http/message.ts'
import { resolveSettings } from '../../src/options.ts'
import type { Unspecified } from '../../src/unspecified.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const PAGE = { page: 2, perPage: 3, from: 3 }

const cached = (json: string) => ({ json, jsonBytes: Buffer.byteLength(json) })

/** A text of which only the length counts. */
const ofBytes = (jsonBytes: number) => ({ json: '1', jsonBytes })

describe('the envelope of a response', () => {
  it('[ENV-01] has one object', () => {
    expect(item({ a: 'é' }, 201)).toEqual({ status: 201, headers: JSON_TYPE, body: '{"data":{"a":"é"}}' })
    expect(cachedItem(cached('{"a":"é"}'))).toEqual({
      status: 200,
      headers: JSON_TYPE,
      body: '{"data":{"a":"é"}}',
      byteLength: 19,
    })
    expect(noContent()).toEqual({ status: 204, headers: {}, body: null })
  })

  it.each([
    [[], '{"data":[],"meta":{"page":2,"per_page":3,"total":7}}'],
    [['{"a":"é"}'], '{"data":[{"a":"é"}],"meta":{"page":2,"per_page":3,"total":7}}'],
    [['1', '2', '3'], '{"data":[1,2,3],"meta":{"page":2,"per_page":3,"total":7}}'],
  ])('[ENV-02] has the list %j and its place in all', (texts, body) => {
    expect(jsonList(texts, PAGE, 7)).toEqual({ status: 200, headers: JSON_TYPE, body })
    expect(cachedList(texts.map(cached), PAGE, 7)).toEqual({
      status: 200,
      headers: JSON_TYPE,
      body,
      byteLength: Buffer.byteLength(body),
    })
  })

  it('[ENV-02] of a list of more than 4 MiB is sent item by item', async () => {
    const fits = cachedList([ofBytes(4_194_000), ofBytes(303)], PAGE, 7)
    expect([fits.body, fits.byteLength]).toEqual([
      '{"data":[1,1],"meta":{"page":2,"per_page":3,"total":7}}',
      4_194_304 + 9 + 43,
    ])
    const { status, headers, body } = cachedList([ofBytes(4_194_000), ofBytes(304)], PAGE, 7)
    expect([status, headers]).toEqual([200, JSON_TYPE])
    const chunks: string[] = []
    for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(Buffer.from(chunk).toString())
    expect(chunks).toEqual(['{"data":[1', ',1', '],"meta":{"page":2,"per_page":3,"total":7}}'])
  })
})

describe('an error', () => {
  it('[ENV-03] has its status, headers, code and message', () => {
    const error = new ServiceError('rate_limited', 'Wait.', undefined, { 'retry-after': '60' })
    expect(errorResponse(error, resolveSettings({}))).toEqual({
      status: 429,
      headers: { ...JSON_TYPE, 'retry-after': '60' },
      body: '{"error":{"code":"rate_limited","message":"Wait."}}',
    })
  })

  it('[ERR-04] that is a bug reveals nothing, but is reported', () => {
    const reported: unknown[] = []
    const cause = new Error('the cause')
    expect(internalErrorResponse(cause, resolveSettings({}), (one) => reported.push(one))).toEqual({
      status: 500,
      headers: JSON_TYPE,
      body: '{"error":{"code":"server_error","message":"Something went wrong on our side."}}',
    })
    expect(reported).toEqual([cause])
  })
})

describe('finishing a response', () => {
  const finish = (
    response: Partial<OutgoingMessage>,
    unspecified: Partial<Unspecified>,
    method = 'GET',
    accepted = 'gzip',
  ) => {
    const settings = resolveSettings({ unspecified: { requestIdHeader: 'false', ...unspecified } })
    const outgoing = { status: 200, headers: { ...JSON_TYPE }, body: '{"data":{}}', ...response }
    completeResponse(outgoing, 36, createRequestIds({ bytes: (length) => new Uint8Array(length) }), settings)
    const request = { method, headers: { get: () => accepted } } as unknown as IncomingMessage
    return encodeResponse(outgoing, request, settings)
  }

  it('[ENV-07] adds the id of the request, unless it is configured not to', () => {
    expect(finish({}, { requestIdHeader: 'true' }).headers).toEqual({
      ...JSON_TYPE,
      'x-request-id': 'req_00000000000010',
    })
    expect(finish({}, {}).headers).toEqual(JSON_TYPE)
  })

  it('[ENV-08] adds the headers of CORS with cors: any', () => {
    expect(finish({}, { cors: 'any' }).headers).toEqual({
      ...JSON_TYPE,
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Retry-After, WWW-Authenticate, X-Request-Id, Allow',
    })
  })

  it('[ENV-04] adds fields to JSON only with extraFields, whose length is not known any more', () => {
    const more = finish({ byteLength: 11 }, { extraFields: 'true' })
    expect(JSON.parse(more.body as string)).toHaveProperty('x_added_later')
    expect(more.byteLength).toBeUndefined()
    const html = { headers: { 'content-type': 'text/html' }, body: '<h1>', byteLength: 4 }
    expect(finish(html, { extraFields: 'true' })).toMatchObject(html)
    const bytes = { body: Buffer.from('{}') }
    expect(finish(bytes, { extraFields: 'true' })).toMatchObject(bytes)
    expect(finish({ byteLength: 11 }, {})).toMatchObject({ body: '{"data":{}}', byteLength: 11 })
  })

  it('compresses texts with compression: gzip, for clients that accept it', () => {
    const compressed = finish({}, { compression: 'gzip' })
    expect(compressed.headers).toEqual({ ...JSON_TYPE, 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
    expect(Buffer.from(compressed.body as Uint8Array).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]))
    for (const response of [
      finish({}, {}),
      finish({}, { compression: 'gzip' }, 'GET', 'br'),
      finish({ body: Buffer.from('{}') }, { compression: 'gzip' }),
      finish({ body: null }, { compression: 'gzip' }),
    ]) {
      expect(response.headers).toEqual(JSON_TYPE)
    }
  })

  it('[ENV-07] has for HEAD no body, but its length', () => {
    expect(finish({ body: '{"a":"é"}' }, {}, 'HEAD')).toMatchObject({
      headers: { ...JSON_TYPE, 'content-length': '10' },
      body: null,
    })
    expect(withoutBody({ status: 200, headers: {}, body: Buffer.from('é') })).toEqual({
      status: 200,
      headers: { 'content-length': '2' },
      body: null,
    })
    const stream = { status: 200, headers: {}, body: (async function* () {})() }
    expect(withoutBody(stream)).toEqual({ status: 200, headers: {}, body: null })
  })
})
