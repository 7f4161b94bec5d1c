import { describe, expect, it } from 'vitest'
import { completeResponse, encodeResponse } from '../../src/http/finish-response.ts'
import { createRequestIds } from '../../src/http/journal.ts'
import { cachedList } from '../../src/http/json-response.ts'
import type { IncomingMessage, OutgoingMessage } from '../../src/http/message.ts'
import { resolveSettings } from '../../src/options.ts'
import type { Unspecified } from '../../src/unspecified.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const PAGE = { page: 2, perPage: 3, from: 3 }

/** A text of which only the length counts. */
const ofBytes = (jsonBytes: number) => ({ json: '1', jsonBytes })

describe('the envelope of a response', () => {
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
