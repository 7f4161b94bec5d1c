import type { EventEmitter } from 'node:events'
import { Agent, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net'
import { Duplex } from 'node:stream'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../../test/support/free-port.ts'
import {
  ConnectionError,
  DecodeError,
  Formwire,
  OutcomeUnknownError,
  ResponseTooLargeError,
  type Transport,
  UsageError,
} from '../../src/index.ts'
import { nodeTransport } from '../../src/node.ts'
import { undiciTransport } from '../../src/undici.ts'

const ME = '{"data":{"user":{"id":1,"name":"Zoë"},"workspace":{},"key":{}}}'

const transports: [string, () => Transport | undefined][] = [
  ['fetch', () => undefined],
  ['/node', () => nodeTransport()],
  ['/undici', () => undiciTransport({ connections: 2 })],
]

const open: (Server | TcpServer)[] = []
const sockets = new Set<Socket>()

function keep<Kind extends Server | TcpServer>(server: Kind): Kind {
  open.push(server)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  return server
}

function listen(server: Server | TcpServer): Promise<string> {
  keep(server)
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
}

/** Starts an HTTP server with this request handler. */
function http(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  return listen(createServer(handle))
}

/** A server of raw bytes: whatever HTTP libraries would refuse to send. */
function raw(handle: (socket: Socket, request: number) => void): Promise<string> {
  let requests = 0
  return listen(
    createTcpServer((socket) => {
      socket.on('data', () => {
        requests += 1
        handle(socket, requests)
      })
    }),
  )
}

const whole = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(ME)}\r\n\r\n${ME}`

afterEach(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of open.splice(0)) server.close()
})

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

  it('[AUTH-02] sends only the key as authorization, even if a hook adds another one in any case', async () => {
    const seen: string[][] = []
    const url = await http((request, response) => {
      seen.push(
        request.rawHeaders.filter((_, index, all) => /^authorization$/i.test(all[index - (index % 2)] ?? '')),
      )
      response.setHeader('content-type', 'application/json')
      response.end(ME)
    })
    const onRequest = ({ headers }: { headers: Record<string, string> }): void => {
      headers.Authorization = 'Bearer hook'
      headers.AUTHORIZATION = 'Bearer Hook'
    }
    await client(url, { onRequest }).me()
    expect(seen.map(([name, ...values]) => [name?.toLowerCase(), ...values])).toEqual([
      ['authorization', 'Bearer svc_k'],
    ])
  })

  it('sends method, path, headers and body, and reads the response', async () => {
    const seen: unknown[] = []
    const url = await http((request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        const { authorization, 'content-type': type, 'content-length': length, accept } = request.headers
        seen.push([request.method, request.url, authorization, type, length, accept, body])
        response.setHeader('content-type', 'application/json; charset=utf-8')
        response.setHeader('x-request-id', 'req_1')
        response.end(ME)
      })
    })
    const { data, response } = await client(url).forms.rename('abcdefghijkl', 'Zoë').withResponse()
    expect(data).toEqual(JSON.parse(ME).data)
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

  it.each([
    ['gzip', gzipSync(ME)],
    ['br', brotliCompressSync(ME)],
  ])('reads %s, requested or not', async (encoding, body) => {
    const url = await http((_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.setHeader('content-encoding', encoding)
      response.end(body)
    })
    expect(await client(url).me()).toEqual(JSON.parse(ME).data)
  })

  describe('with maxResponseBytes', () => {
    const maxResponseBytes = 4096
    const json = `{"data":{"user":"${'é'.repeat(2038)}"}}`
    const plain = { 'content-type': 'application/json' }
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
      const url = await http((_request, response) => {
        response.writeHead(200, { ...plain, ...headers })
        response.end(body)
      })
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
        const url = await http((_request, response) => {
          requests += 1
          response.on('close', closed)
          response.writeHead(200, { ...plain, ...headers })
          response.end(body)
        })
        const error = await client(url, { maxResponseBytes })
          .me()
          .catch((caught: unknown) => caught)
        expect(error).toBeInstanceOf(ResponseTooLargeError)
        expect(error).toMatchObject({ method: 'GET', path: '/me', attempts: 1, maxResponseBytes: 4096 })
        expect((error as Error).message).toBe(
          'GET /me: response body exceeds maxResponseBytes (4096) after decompression; raise it or lower per_page.',
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

    it('rejects an endless gzip bomb while it is decoded, and destroys its connection', async () => {
      // Each part has 4 kB and decodes to 4 MB.
      const part = gzipSync(Buffer.alloc(4_000_000, 0x20))
      let closed = (): void => {}
      const whenClosed = new Promise<void>((resolve) => {
        closed = resolve
      })
      const url = await http((_request, response) => {
        response.on('close', closed)
        response.writeHead(200, { ...plain, 'content-encoding': 'gzip' })
        const more = (): void => {
          while (!response.destroyed && response.write(part));
        }
        response.on('drain', more)
        more()
      })
      await expect(client(url).me()).rejects.toMatchObject({
        name: 'ResponseTooLargeError',
        maxResponseBytes: 33_554_432,
      })
      await whenClosed
    })

    it('throws OutcomeUnknownError if the response to a POST is too large', async () => {
      const url = await http((_request, response) => {
        response.writeHead(201, plain)
        response.end(json)
      })
      const error = await client(url, { maxResponseBytes: 100 })
        .webhooks.create('abcdefghijkl', { url: 'https://x.example' })
        .catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(OutcomeUnknownError)
      expect((error as Error).cause).toBeInstanceOf(ResponseTooLargeError)
    })
  })

  it.each(['gzip', 'br'])(
    'accepts a 204 without a body but with the content encoding %s',
    async (encoding) => {
      const url = await http((_request, response) => {
        response.writeHead(204, { 'content-encoding': encoding })
        response.end()
      })
      expect(await client(url).webhooks.delete('abcdefghijkl', 3)).toEqual({ id: 3, deleted: true })
    },
  )

  it('throws a typed error for truncated gzip', async () => {
    const body = gzipSync(ME.repeat(50)).subarray(0, 60)
    const url = await http((_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.setHeader('content-encoding', 'gzip')
      response.end(body)
    })
    const error = await client(url, { maxRetries: 0 })
      .me()
      .catch((caught: unknown) => caught)
    // Node's fetch lets the end of a gzip stream go; what is left is then no JSON.
    expect(['ConnectionError', 'DecodeError']).toContain((error as Error).name)
  })

  it('accepts a 204 without a body', async () => {
    const url = await http((_request, response) => {
      response.statusCode = 204
      response.end()
    })
    expect(await client(url).webhooks.delete('abcdefghijkl', 3)).toEqual({ id: 3, deleted: true })
  })

  it.each<[string, (socket: Socket) => void]>([
    ['before the response', (socket) => socket.resetAndDestroy()],
    [
      'inside the head',
      (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-', () => socket.resetAndDestroy()),
    ],
    ['inside the body', (socket) => socket.write(whole.slice(0, -20), () => socket.resetAndDestroy())],
    ['by an end inside the body', (socket) => socket.end(whole.slice(0, -20))],
  ])('retries if the connection is lost %s', async (_when, breakOff) => {
    const url = await raw((socket, request) => (request === 1 ? breakOff(socket) : socket.end(whole)))
    const { data, response } = await client(url).me().withResponse()
    expect(data).toEqual(JSON.parse(ME).data)
    expect(response.attempts).toBe(2)
  })

  it('reports ECONNREFUSED if nothing is listening', async () => {
    const dead = `http://127.0.0.1:${await freePort()}`
    const error = await client(dead, { maxRetries: 0 })
      .me()
      .catch((caught: unknown) => caught)
    expect(error).toMatchObject({
      systemCode: 'ECONNREFUSED',
      cause: { code: 'ECONNREFUSED', syscall: 'connect' },
    })
  })

  it('reads the response after an informational response', async () => {
    const url = await raw((socket) => socket.end(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${whole}`))
    expect(await client(url).me()).toEqual(JSON.parse(ME).data)
  })

  it('reads the response after an unrequested 100 Continue, or explains why it cannot', async () => {
    let requests = 0
    const url = await raw((socket) => {
      requests += 1
      socket.end(`HTTP/1.1 100 Continue\r\n\r\n${whole}`)
    })
    const result = await client(url)
      .me()
      .catch((caught: unknown) => caught)
    expect(requests).toBe(1)
    if (_name === '/node') return expect(result).toEqual(JSON.parse(ME).data)
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
    const url = await raw((socket) => socket.write(whole, () => setImmediate(() => socket.resetAndDestroy())))
    const formwire = client(url)
    expect(await formwire.me()).toEqual(JSON.parse(ME).data)
    expect(await formwire.me()).toEqual(JSON.parse(ME).data)
  })

  it('distinguishes a POST that was interrupted from one that was never sent', async () => {
    const cut = await raw((socket) => socket.resetAndDestroy())
    const lost = await client(cut)
      .webhooks.create('abcdefghijkl', { url: 'https://x.example' })
      .catch((caught: unknown) => caught)
    expect(lost).toBeInstanceOf(OutcomeUnknownError)

    const dead = `http://127.0.0.1:${await freePort()}`
    const refused = await client(dead, { maxRetries: 1 })
      .webhooks.create('abcdefghijkl', { url: 'https://x.example' })
      .catch((caught: unknown) => caught)
    expect(refused).toBeInstanceOf(ConnectionError)
    expect(refused).toMatchObject({ maybeSent: false, systemCode: 'ECONNREFUSED', attempts: 2 })
  })

  it.each([
    ['before the head', ''],
    ['inside the head', 'HTTP/1.1 200 OK\r\nconte'],
    ['inside the body', whole.slice(0, -9)],
  ])('times out at timeoutMs if the response hangs %s', async (_where, part) => {
    const url = await raw((socket) => part && socket.write(part))
    const error = await client(url, { timeoutMs: 60, maxRetries: 0 })
      .me()
      .catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name: 'TimeoutError', scope: 'attempt', timeoutMs: 60 })
  })

  it('times out at timeoutMs if the response drips endlessly', async () => {
    const url = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n')
      const drip = setInterval(() => socket.write(' '), 5)
      socket.on('close', () => clearInterval(drip))
    })
    const error = await client(url, { timeoutMs: 60, maxRetries: 0 })
      .me()
      .catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name: 'TimeoutError' })
  })

  it('aborts while the body is read', async () => {
    const controller = new AbortController()
    const url = await raw((socket) => {
      socket.write(whole.slice(0, -9))
      setImmediate(() => controller.abort())
    })
    const error = await client(url)
      .me({ signal: controller.signal })
      .catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name: 'AbortError' })
  })

  it('[AUTH-02] follows no redirect, so that the key is sent to no other host', async () => {
    let elsewhere = 0
    const other = await http((_request, response) => {
      elsewhere += 1
      response.end()
    })
    for (const status of [301, 302, 303, 307, 308]) {
      const url = await http((_request, response) => {
        response.statusCode = status
        response.setHeader('location', `${other}/api/v1/me`)
        response.end()
      })
      await expect(client(url).me()).rejects.toMatchObject({ status })
    }
    expect(elsewhere).toBe(0)
  })

  it('throws typed errors for responses that are not JSON', async () => {
    const url = await http((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<html>sign in</html>')
    })
    await expect(client(url).me()).rejects.toThrow(DecodeError)
  })
})

describe('the default transport', () => {
  it('looks up the global fetch at each call', async () => {
    const original = globalThis.fetch
    const formwire = new Formwire({ apiKey: 'svc_k', baseUrl: 'https://x.example' })
    try {
      globalThis.fetch = async () => Response.json(JSON.parse(ME))
      expect(await formwire.me()).toEqual(JSON.parse(ME).data)
    } finally {
      globalThis.fetch = original
    }
  })

  it('supports a fetch that accepts a Request and one that accepts a URL and init', async () => {
    const seen: unknown[] = []
    const byRequest = async (request: Request): Promise<Response> => {
      seen.push([request.method, request.url, request.headers.get('authorization'), await request.text()])
      return Response.json(JSON.parse(ME))
    }
    const byUrl = async (input: unknown, init?: RequestInit): Promise<Response> => {
      seen.push([
        init?.method,
        new URL(String(input)).href,
        new Headers(init?.headers).get('authorization'),
        init?.body,
      ])
      return Response.json(JSON.parse(ME))
    }
    for (const fetch of [byRequest, byUrl]) {
      await new Formwire({ apiKey: 'svc_k', fetch }).forms.close('abcdefghijkl')
    }
    const expected = [
      'PATCH',
      'http://formwire.test/api/v1/forms/abcdefghijkl',
      'Bearer svc_k',
      '{"status":"closed"}',
    ]
    expect(seen).toEqual([expected, expected])
  })
})

describe('a custom fetch', () => {
  it.each(['5', '', '-1', '5e0', '1000'])(
    'is held to maxResponseBytes if it gives 5 MB with the content-length %j',
    async (contentLength) => {
      const headers = { 'content-type': 'application/json', 'content-length': contentLength }
      const body = `{"data":{"user":"${'x'.repeat(5_000_000)}"}}`
      const fetch = async (): Promise<Response> => new Response(body, { headers })
      for (const options of [{ fetch }, { baseUrl: 'https://x.example' }]) {
        const original = globalThis.fetch
        globalThis.fetch = fetch
        try {
          const formwire = new Formwire({ apiKey: 'svc_k', maxResponseBytes: 1000, ...options })
          await expect(formwire.me()).rejects.toThrow(ResponseTooLargeError)
        } finally {
          globalThis.fetch = original
        }
      }
    },
  )
})

describe('/undici', () => {
  it('opens no more connections than allowed if the first requests are concurrent', async () => {
    let connections = 0
    const server = keep(
      createServer((_, response) => response.setHeader('content-type', 'application/json').end(ME)),
    )
    server.on('connection', () => {
      connections += 1
    })
    const url = await new Promise<string>((resolve) => {
      server.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      )
    })
    const transport = undiciTransport({ connections: 1 })
    const formwire = new Formwire({ apiKey: 'svc_k', baseUrl: url, transport })
    await Promise.all([formwire.me(), formwire.me(), formwire.me()])
    expect(connections).toBe(1)
  })

  it.each(['5', '', '-1'])(
    'is held to maxResponseBytes if a dispatcher gives 5 MB with the content-length %j',
    async (contentLength) => {
      const { MockAgent } = await import('undici')
      const agent = new MockAgent()
      agent.disableNetConnect()
      const headers = { 'content-type': 'application/json', 'content-length': contentLength }
      const body = `{"data":{"user":"${'x'.repeat(5_000_000)}"}}`
      agent.get('https://x.example').intercept({ path: '/api/v1/me' }).reply(200, body, { headers })
      const transport = undiciTransport({ dispatcher: agent })
      const options = { apiKey: 'svc_k', baseUrl: 'https://x.example', transport, maxResponseBytes: 1000 }
      await expect(new Formwire(options).me()).rejects.toThrow(ResponseTooLargeError)
      await agent.close()
    },
  )

  it('refuses a dispatcher of undici 6, which waits for an abort with another method', async () => {
    // Like undici 6.29; packed-smoke tries the real one.
    const request = async ({ signal }: { signal: EventEmitter }) => signal.addListener('abort', () => {})
    const transport = undiciTransport({ dispatcher: { request } as never })
    const error = await new Formwire({ apiKey: 'svc_k', baseUrl: 'https://x.example', transport })
      .me()
      .catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(UsageError)
    expect((error as Error).message).toBe(
      '"dispatcher" is of undici 6 or older, and undiciTransport() requires undici 7 or newer; install it with "npm install undici@7" (undici 8 requires Node 22).',
    )
  })

  it('uses a proxy and a custom dispatcher', async () => {
    const { MockAgent } = await import('undici')
    const agent = new MockAgent()
    agent.disableNetConnect()
    agent
      .get('https://x.example')
      .intercept({ path: '/api/v1/me', headers: { authorization: 'Bearer svc_k' } })
      .reply(200, ME, { headers: { 'content-type': 'application/json' } })
    const transport = undiciTransport({ dispatcher: agent })
    const formwire = new Formwire({ apiKey: 'svc_k', baseUrl: 'https://x.example', transport })
    expect(await formwire.me()).toEqual(JSON.parse(ME).data)
    await agent.close()

    const connects: string[] = []
    const proxy = createServer()
    proxy.on('connect', (request, socket) => {
      connects.push(request.url ?? '')
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.on('data', () => socket.end(whole))
    })
    const through = new Formwire({
      apiKey: 'svc_k',
      baseUrl: 'http://x.example',
      allowInsecure: true,
      transport: undiciTransport({ proxy: await listen(proxy) }),
    })
    expect(await through.me()).toEqual(JSON.parse(ME).data)
    expect(connects).toEqual(['x.example:80'])
  })
})

describe('the transport /node', () => {
  it('fails at once on an unrequested 101 and closes the connection', async () => {
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'
    const url = await raw((socket) => socket.write(upgrade))
    const transport = nodeTransport()
    const error = await new Formwire({ apiKey: 'svc_k', baseUrl: url, transport, maxRetries: 0 })
      .me()
      .catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name: 'ApiError', status: 101, attempts: 1 })
    await expect.poll(() => sockets.size).toBe(0)
  })
})

describe.each(transports.slice(1))('the transport %s with a content encoding', (_name, create) => {
  const failure = async (encoding: string, body: Buffer | string): Promise<Error> => {
    const baseUrl = await http((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding })
      response.end(body)
    })
    const formwire = new Formwire({ apiKey: 'svc_k', baseUrl, transport: create(), maxRetries: 0 })
    return formwire.me().then(
      () => new Error('no failure'),
      (caught: Error) => caught,
    )
  }

  it('names an encoding that the body does not have', async () => {
    const error = await failure('gzip', ME)
    expect(error).toMatchObject({ name: 'ConnectionError', systemCode: 'Z_DATA_ERROR', maybeSent: true })
    expect(error.message).toBe(
      'GET /me could not decode the content encoding of the response (Z_DATA_ERROR).',
    )
  })

  it('rejects more than 4 encodings', async () => {
    let body: Buffer = Buffer.from(ME)
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

describe('the transport /node over https', () => {
  it('counts a POST as not sent if the TLS handshake is interrupted', async () => {
    const url = await raw((socket) => socket.destroy())
    const broken = await new Formwire({
      apiKey: 'svc_k',
      baseUrl: url.replace('http:', 'https:'),
      random: () => 0,
      maxRetries: 1,
      transport: nodeTransport(),
    }).webhooks
      .create('abcdefghijkl', { url: 'https://x.example' })
      .catch((caught: unknown) => caught)
    expect(broken).toBeInstanceOf(ConnectionError)
    expect(broken).toMatchObject({ maybeSent: false, attempts: 2 })
  })
})

describe('the transport /node with a custom agent', () => {
  it('counts a POST as not sent if the agent has no connection for it', async () => {
    class Broken extends Agent {
      override createConnection(
        ...[, created]: Parameters<Agent['createConnection']>
      ): ReturnType<Agent['createConnection']> {
        created?.(new Error('The tunnel is closed.'), new Duplex())
        return undefined
      }
    }
    const failed = await new Formwire({
      apiKey: 'svc_k',
      baseUrl: 'http://127.0.0.1:1',
      random: () => 0,
      maxRetries: 1,
      transport: nodeTransport({ agent: new Broken() }),
    }).webhooks
      .create('abcdefghijkl', { url: 'https://x.example' })
      .catch((caught: unknown) => caught)
    expect(failed).toBeInstanceOf(ConnectionError)
    expect(failed).toMatchObject({ maybeSent: false, attempts: 2 })
  })
})
