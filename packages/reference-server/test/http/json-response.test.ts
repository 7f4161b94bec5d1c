import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../src/domain/service-error.ts'
import { completeResponse, encodeResponse } from '../../src/http/finish-response.ts'
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

// unspecified/shown.ts has each value of what else is added to a response, conformance/every-transport the answer to HEAD.
describe('finishing a response', () => {
  const finish = (response: Partial<OutgoingMessage>, unspecified: Partial<Unspecified>) => {
    const settings = resolveSettings({ unspecified: { requestIdHeader: 'false', ...unspecified } })
    const outgoing = { status: 200, headers: { ...JSON_TYPE }, body: '{"data":{}}', ...response }
    completeResponse(outgoing, 36, createRequestIds({ bytes: (length) => new Uint8Array(length) }), settings)
    const request = { method: 'GET', headers: { get: () => 'gzip' } } as unknown as IncomingMessage
    return encodeResponse(outgoing, request, settings)
  }

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
})
