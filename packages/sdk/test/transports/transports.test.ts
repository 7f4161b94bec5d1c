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
import {
  ConnectionError,
  DecodeError,
  Formwire,
  OutcomeUnknownError,
  type Transport,
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

/** An HTTP server whose answer is a function. */
function http(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  return listen(createServer(answer))
}

/** A server of raw bytes: whatever HTTP libraries would refuse to send. */
function raw(answer: (socket: Socket, request: number) => void): Promise<string> {
  let requests = 0
  return listen(
    createTcpServer((socket) => {
      socket.on('data', () => {
        requests += 1
        answer(socket, requests)
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

  it('[AUTH-02] sends one authorization, the key, whatever case a hook writes another in', async () => {
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

  it('sends method, path, headers and body, and reads the answer', async () => {
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
  ])('reads %s, asked for or not', async (encoding, body) => {
    const url = await http((_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.setHeader('content-encoding', encoding)
      response.end(body)
    })
    expect(await client(url).me()).toEqual(JSON.parse(ME).data)
  })

  it('gives a typed error for gzip that is cut short', async () => {
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

  it('takes 204 without a body', async () => {
    const url = await http((_request, response) => {
      response.statusCode = 204
      response.end()
    })
    expect(await client(url).webhooks.delete('abcdefghijkl', 3)).toEqual({ id: 3, deleted: true })
  })

  it.each<[string, (socket: Socket) => void]>([
    ['before the answer', (socket) => socket.resetAndDestroy()],
    [
      'inside the head',
      (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-', () => socket.resetAndDestroy()),
    ],
    ['inside the body', (socket) => socket.write(whole.slice(0, -20), () => socket.resetAndDestroy())],
    ['by an end inside the body', (socket) => socket.end(whole.slice(0, -20))],
  ])('tries again when the connection breaks %s', async (_when, breakOff) => {
    const url = await raw((socket, request) => (request === 1 ? breakOff(socket) : socket.end(whole)))
    const { data, response } = await client(url).me().withResponse()
    expect(data).toEqual(JSON.parse(ME).data)
    expect(response.attempts).toBe(2)
  })

  it('is not bothered by a reset after the answer', async () => {
    const url = await raw((socket) => socket.write(whole, () => setImmediate(() => socket.resetAndDestroy())))
    const formwire = client(url)
    expect(await formwire.me()).toEqual(JSON.parse(ME).data)
    expect(await formwire.me()).toEqual(JSON.parse(ME).data)
  })

  it('tells a POST that was cut off apart from one that never got through', async () => {
    const cut = await raw((socket) => socket.resetAndDestroy())
    const lost = await client(cut)
      .webhooks.create('abcdefghijkl', { url: 'https://x.example' })
      .catch((caught: unknown) => caught)
    expect(lost).toBeInstanceOf(OutcomeUnknownError)

    const closed = createTcpServer()
    const dead = await listen(closed)
    await new Promise((resolve) => closed.close(resolve))
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
  ])('ends an answer that hangs %s at timeoutMs', async (_where, part) => {
    const url = await raw((socket) => part && socket.write(part))
    const error = await client(url, { timeoutMs: 60, maxRetries: 0 })
      .me()
      .catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name: 'TimeoutError', scope: 'attempt', timeoutMs: 60 })
  })

  it('ends an answer that drips for ever at timeoutMs', async () => {
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

  it('aborts inside the body', async () => {
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

  it('[AUTH-02] follows no redirect: the key goes to no other place', async () => {
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

  it('gives typed errors for answers that are no JSON', async () => {
    const url = await http((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<html>sign in</html>')
    })
    await expect(client(url).me()).rejects.toThrow(DecodeError)
  })
})

describe('the default transport', () => {
  it('looks the global fetch up at each call', async () => {
    const original = globalThis.fetch
    const formwire = new Formwire({ apiKey: 'svc_k', baseUrl: 'https://x.example' })
    try {
      globalThis.fetch = async () => Response.json(JSON.parse(ME))
      expect(await formwire.me()).toEqual(JSON.parse(ME).data)
    } finally {
      globalThis.fetch = original
    }
  })

  it('serves a fetch that takes a Request and one that takes a URL and init alike', async () => {
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

describe('/undici', () => {
  it('goes through a proxy and through a dispatcher of the caller', async () => {
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

describe('the transport /node over https', () => {
  it('counts a POST as not sent when the handshake breaks off: nobody can have read it', async () => {
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

describe('the transport /node with an agent of the caller', () => {
  it('counts a POST as not sent when the agent has no connection for it', async () => {
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
