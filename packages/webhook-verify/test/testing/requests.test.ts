import { describe, expect, it } from 'vitest'
import { toIncomingMessage, toLambdaEvent, toRequest } from '../../src/testing/requests.ts'

const HEADERS = [
  ['X-One', '1'],
  ['X-Two', 'a'],
  ['X-Two', 'b'],
] as const

async function textOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  const read: Buffer[] = []
  for await (const chunk of chunks) read.push(chunk)
  return Buffer.concat(read).toString()
}

describe('the forms of a test delivery', () => {
  it('has a fetch Request, with repeated headers joined', async () => {
    const request = toRequest({ headers: HEADERS, body: 'é' }, 'https://receiver.example/hook')
    expect([request.method, request.url, await request.text()]).toEqual([
      'POST',
      'https://receiver.example/hook',
      'é',
    ])
    expect([request.headers.get('x-one'), request.headers.get('x-two')]).toEqual(['1', 'a, b'])
  })

  it('has an IncomingMessage, with repeated headers joined as Node joins them', async () => {
    const message = toIncomingMessage({ headers: HEADERS, body: 'é' }, '/hook')
    expect(message).toMatchObject({
      method: 'POST',
      url: '/hook',
      httpVersion: '1.1',
      complete: true,
      headers: { 'x-one': '1', 'x-two': 'a, b' },
      rawHeaders: ['X-One', '1', 'X-Two', 'a', 'X-Two', 'b'],
    })
    expect(await textOf(message)).toBe('é')
  })

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
