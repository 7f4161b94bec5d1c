import type { Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../../test/support/free-port.ts'
import { serve } from '../../../../test/support/serve.ts'
import {
  ConnectionError,
  Formwire,
  OutcomeUnknownError,
  ResponseTooLargeError,
  type Transport,
} from '../../src/index.ts'
import { nodeTransport } from '../../src/node.ts'
import { undiciTransport } from '../../src/undici.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { errorOf, ME_DATA, ME_TEXT, raw, served, WHOLE } from '../support/raw-server.ts'

const LONG = JSON.stringify({ data: Array.from({ length: 500 }, (_, index) => index * 7919) })

const transports: [string, () => Transport | undefined][] = [
  ['fetch', () => undefined],
  ['/node', () => nodeTransport()],
  ['/undici', () => undiciTransport({ connections: 2 })],
]

describe.each(transports)('the transport %s', (_name, create) => {
  const client = (baseUrl: string, options = {}): Formwire => {
    const transport = create()
    return new Formwire({
      apiKey: 'svc_k',
      baseUrl,
      random: () => 0,
      ...(transport ? { transport } : {}),
      ...options,
    })
  }

  it('sends method, path, headers and body, and reads the response', async () => {
    const seen: unknown[] = []
    const url = await serve((request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        const { authorization, 'content-type': type, 'content-length': length, accept } = request.headers
        seen.push([request.method, request.url, authorization, type, length, accept, body])
        response.setHeader('content-type', 'application/json; charset=utf-8')
        response.setHeader('x-request-id', 'req_1')
        response.end(ME_TEXT)
      })
    })
    const { data, response } = await client(url).forms.rename('abcdefghijkl', 'Zoë').withResponse()
    expect(data).toEqual(ME_DATA)
    expect(response.requestId).toBe('req_1')
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    await client(url).me()
    expect(seen).toEqual([
      [
        'PATCH',
        '/api/v1/forms/abcdefghijkl',
        'Bearer svc_k',
        'application/json',
        '16',
        'application/json',
        '{"title":"Zoë"}',
      ],
      ['GET', '/api/v1/me', 'Bearer svc_k', undefined, undefined, 'application/json', ''],
    ])
  })

  it.each<[string, string, Buffer]>([
    ['gzip', 'gzip', gzipSync(ME_TEXT)],
    ['gzip by its old name', 'x-gzip', gzipSync(ME_TEXT)],
    ['br', 'br', brotliCompressSync(ME_TEXT)],
    ['deflate', 'deflate', deflateSync(ME_TEXT)],
    ['a byte order mark', 'identity', Buffer.from(`\ufeff${ME_TEXT}`)],
    ['a byte order mark in gzip', 'gzip', gzipSync(`\ufeff${ME_TEXT}`)],
  ])('reads %s, requested or not', async (_what, encoding, body) => {
    const url = await served(body, { 'content-encoding': encoding })
    expect(await client(url).me()).toEqual(ME_DATA)
  })

  describe('with maxResponseBytes', () => {
    const maxResponseBytes = 4096
    const json = `{"data":{"user":"${'é'.repeat(2038)}"}}`
    const encodings: [string, Record<string, string>, (text: string) => Buffer][] = [
      ['with a content-length', { 'content-length': 'yes' }, (text) => Buffer.from(text)],
      ['in chunks', {}, (text) => Buffer.from(text)],
      ['in gzip', { 'content-encoding': 'gzip' }, (text) => gzipSync(text)],
      ['in br', { 'content-encoding': 'br' }, (text) => brotliCompressSync(text)],
      ['in gzip twice', { 'content-encoding': 'gzip, gzip' }, (text) => gzipSync(gzipSync(text))],
    ]

    it.each(encodings)('reads a body of exactly that many bytes %s', async (_how, extra, encode) => {
      const body = encode(json)
      const headers = 'content-length' in extra ? { 'content-length': body.length } : extra
      const url = await served(body, headers)
      expect(Buffer.byteLength(json)).toBe(maxResponseBytes)
      expect(await client(url, { maxResponseBytes }).me()).toEqual({ user: 'é'.repeat(2038) })
    })

    it.each(encodings)(
      'rejects one byte more %s without a retry, and closes the connection',
      async (_how, extra, encode) => {
        let requests = 0
        let closed = (): void => {}
        const whenClosed = new Promise<void>((resolve) => {
          closed = resolve
        })
        const body = encode(`${json} `)
        const headers = 'content-length' in extra ? { 'content-length': body.length } : extra
        const url = await serve((_request, response) => {
          requests += 1
          response.on('close', closed)
          response.writeHead(200, { 'content-type': 'application/json', ...headers })
          response.end(body)
        })
        const error = await errorOf(client(url, { maxResponseBytes }).me())
        expect(error).toBeInstanceOf(ResponseTooLargeError)
        expect(error).toMatchObject({ method: 'GET', path: '/me', attempts: 1, maxResponseBytes: 4096 })
        expect((error as Error).message).toBe(
          'GET /me: response body exceeds maxResponseBytes (4096) after decompression; raise it.',
        )
        await whenClosed
        expect(requests).toBe(1)
      },
    )

    it('rejects an endless body and destroys its connection', async () => {
      let closed = (): void => {}
      const whenClosed = new Promise<void>((resolve) => {
        closed = resolve
      })
      const url = await raw((socket) => {
        // Not that of any other socket: Node's own fetch opens a new one in advance.
        socket.on('close', closed)
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n')
        const more = (): void => {
          while (socket.writable && socket.write('x'.repeat(16_384)));
        }
        socket.on('drain', more)
        more()
      })
      await expect(client(url, { maxResponseBytes }).me()).rejects.toThrow(ResponseTooLargeError)
      await whenClosed
    })
  })

  it.each(['gzip', 'br'])(
    'accepts a 204 without a body but with the content encoding %s',
    async (encoding) => {
      const url = await served(undefined, { 'content-encoding': encoding }, 204)
      expect(await client(url).webhooks.delete('abcdefghijkl', 3)).toEqual({ id: 3, deleted: true })
    },
  )

  it.each([
    ['truncated gzip', 'gzip', gzipSync(LONG).subarray(0, 300)],
    ['gzip of which nothing can be decoded', 'gzip', gzipSync(LONG).subarray(0, 5)],
    ['truncated deflate', 'deflate', deflateSync(LONG).subarray(0, 300)],
    ['an unknown encoding', 'compress', Buffer.from('1f9d90', 'hex')],
    ['a body that is not encoded', 'gzip', Buffer.from(ME_TEXT)],
  ])('throws a ConnectionError for %s', async (_what, encoding, body) => {
    const url = await served(body, { 'content-encoding': encoding })
    await expect(client(url, { maxRetries: 0 }).me()).rejects.toBeInstanceOf(ConnectionError)
  })

  it('decodes zstd if Node can, and otherwise throws a ConnectionError', async () => {
    const size = Buffer.byteLength(ME_TEXT)
    // A frame with one block that is not compressed.
    const head = [0x28, 0xb5, 0x2f, 0xfd, 0x20, size, ((size << 3) | 1) & 0xff, size >> 5, 0]
    const body = Buffer.concat([Buffer.from(head), Buffer.from(ME_TEXT)])
    const url = await served(body, { 'content-encoding': 'zstd' })
    const me = await errorOf(client(url, { maxRetries: 0 }).me())
    // The fetch of Node 22 cannot, although its zlib can.
    if (me instanceof Error)
      expect([me.name, process.versions.node >= '24']).toEqual(['ConnectionError', false])
    else expect(me).toEqual(ME_DATA)
  })

  it.each([
    ['with a byte order mark', Buffer.from(`\ufeff${ME_TEXT}`, 'utf16le')],
    ['without one', Buffer.from(ME_TEXT, 'utf16le')],
  ])('names UTF-16 %s', async (_how, body) => {
    await expect(client(await served(body)).me()).rejects.toThrow(/characters\) is UTF-16, not UTF-8\.$/)
  })

  it.each<[string, (socket: Socket) => void]>([
    ['before the response', (socket) => socket.resetAndDestroy()],
    [
      'inside the head',
      (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-', () => socket.resetAndDestroy()),
    ],
    ['inside the body', (socket) => socket.write(WHOLE.slice(0, -20), () => socket.resetAndDestroy())],
    ['by an end inside the body', (socket) => socket.end(WHOLE.slice(0, -20))],
  ])('retries if the connection is lost %s', async (_when, breakOff) => {
    const url = await raw((socket, request) => (request === 1 ? breakOff(socket) : socket.end(WHOLE)))
    const { data, response } = await client(url).me().withResponse()
    expect(data).toEqual(ME_DATA)
    expect(response.attempts).toBe(2)
  })

  it('reports ECONNREFUSED if nothing is listening', async () => {
    const dead = `http://127.0.0.1:${await freePort()}`
    const error = await errorOf(client(dead, { maxRetries: 0 }).me())
    expect(error).toMatchObject({
      systemCode: 'ECONNREFUSED',
      cause: { code: 'ECONNREFUSED', syscall: 'connect' },
    })
  })

  it('reads the response after an informational response', async () => {
    const url = await raw((socket) => socket.end(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${WHOLE}`))
    expect(await client(url).me()).toEqual(ME_DATA)
  })

  it('reads the response after an unrequested 100 Continue, or explains why it cannot', async () => {
    let requests = 0
    const url = await raw((socket) => {
      requests += 1
      socket.end(`HTTP/1.1 100 Continue\r\n\r\n${WHOLE}`)
    })
    const result = await errorOf(client(url).me())
    expect(requests).toBe(1)
    if (_name === '/node') return expect(result).toEqual(ME_DATA)
    expect(result).toMatchObject({
      name: 'ConnectionError',
      maybeSent: true,
      attempts: 1,
      systemCode: 'UND_ERR_SOCKET',
    })
    expect((result as Error).message).toBe(
      'GET /me received an unrequested "100 Continue", which undici and fetch reject; use nodeTransport().',
    )
  })

  it('ignores a connection reset after the response', async () => {
    const url = await raw((socket) => socket.write(WHOLE, () => setImmediate(() => socket.resetAndDestroy())))
    const formwire = client(url)
    expect(await formwire.me()).toEqual(ME_DATA)
    expect(await formwire.me()).toEqual(ME_DATA)
  })

  it('distinguishes a POST that was interrupted from one that was never sent', async () => {
    const cut = await raw((socket) => socket.resetAndDestroy())
    const lost = await errorOf(client(cut).webhooks.create('abcdefghijkl', { url: 'https://x.example' }))
    expect(lost).toBeInstanceOf(OutcomeUnknownError)

    const dead = `http://127.0.0.1:${await freePort()}`
    const refused = await errorOf(
      client(dead, { maxRetries: 1 }).webhooks.create('abcdefghijkl', { url: 'https://x.example' }),
    )
    expect(refused).toBeInstanceOf(ConnectionError)
    expect(refused).toMatchObject({ maybeSent: false, systemCode: 'ECONNREFUSED', attempts: 2 })
  })

  it.each([
    ['before the head', ''],
    ['inside the head', 'HTTP/1.1 200 OK\r\nconte'],
    ['inside the body', WHOLE.slice(0, -9)],
  ])('times out at timeoutMs if the response hangs %s', async (_where, part) => {
    const clock = new ManualClock()
    const url = await raw((socket) => {
      if (part) socket.write(part)
      setImmediate(() => clock.advance(60))
    })
    const error = await errorOf(client(url, { timeoutMs: 60, maxRetries: 0, clock }).me())
    expect(error).toMatchObject({ name: 'TimeoutError', scope: 'attempt', timeoutMs: 60 })
  })

  it('aborts while the body is read', async () => {
    const controller = new AbortController()
    const url = await raw((socket) => {
      socket.write(WHOLE.slice(0, -9))
      setImmediate(() => controller.abort())
    })
    const error = await errorOf(client(url).me({ signal: controller.signal }))
    expect(error).toMatchObject({ name: 'AbortError' })
  })

  it('[AUTH-02] follows no redirect, so that the key is sent to no other host', async () => {
    let elsewhere = 0
    const other = await serve((_request, response) => {
      elsewhere += 1
      response.end()
    })
    for (const status of [301, 302, 303, 307, 308]) {
      const url = await served('', { location: `${other}/api/v1/me` }, status)
      await expect(client(url).me()).rejects.toMatchObject({ status })
    }
    expect(elsewhere).toBe(0)
  })
})

describe.each(transports.slice(1))('the transport %s with a content encoding', (_name, create) => {
  const failure = async (encoding: string, body: Buffer | string): Promise<Error> => {
    const baseUrl = await served(body, { 'content-encoding': encoding })
    const formwire = new Formwire({ apiKey: 'svc_k', baseUrl, transport: create(), maxRetries: 0 })
    return (await errorOf(formwire.me())) as Error
  }

  it('names an encoding that the body does not have', async () => {
    const error = await failure('gzip', ME_TEXT)
    expect(error).toMatchObject({ name: 'ConnectionError', systemCode: 'Z_DATA_ERROR', maybeSent: true })
    expect(error.message).toBe(
      'GET /me could not decode the content encoding of the response (Z_DATA_ERROR).',
    )
  })

  it('rejects more than 4 encodings', async () => {
    let body: Buffer = Buffer.from(ME_TEXT)
    for (let number = 1; number <= 5; number += 1) body = gzipSync(body)
    const error = await failure('gzip, gzip, gzip, gzip, gzip', body)
    expect(error.message).toBe(
      'GET /me could not decode the content encoding of the response (ERR_CONTENT_ENCODING).',
    )
    expect((error.cause as Error).message).toBe(
      'The response has 5 content encodings; at most 4 are decoded.',
    )
  })
})
