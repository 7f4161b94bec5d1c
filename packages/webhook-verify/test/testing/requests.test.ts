import { describe, expect, it } from 'vitest'
import { toLambdaEvent } from '../../src/testing/requests.ts'

const HEADERS = [
  ['X-One', '1'],
  ['X-Two', 'a'],
  ['X-Two', 'b'],
] as const

describe('the forms of a test delivery', () => {
  it('has an event of an HTTP API, with repeated headers joined', () => {
    expect(toLambdaEvent({ headers: HEADERS, body: 'é' })).toEqual({
      version: '2.0',
      rawPath: '/webhooks',
      requestContext: { http: { method: 'POST' } },
      headers: { 'x-one': '1', 'x-two': 'a,b' },
      body: 'é',
      isBase64Encoded: false,
    })
  })

  it('has an event of a REST API, with repeated headers in a list and the last one alone', () => {
    expect(toLambdaEvent({ headers: HEADERS, body: 'é' }, { version: '1.0', base64: true })).toEqual({
      path: '/webhooks',
      httpMethod: 'POST',
      headers: { 'X-One': '1', 'X-Two': 'b' },
      multiValueHeaders: { 'X-One': ['1'], 'X-Two': ['a', 'b'] },
      body: 'w6k=',
      isBase64Encoded: true,
    })
  })
})
