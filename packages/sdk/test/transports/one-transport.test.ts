import type { EventEmitter } from 'node:events'
import { Agent, createServer } from 'node:http'
import { Duplex, Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { serve } from '../../../../test/support/serve.ts'
import {
  ConnectionError,
  Formwire,
  type FormwireOptions,
  OutcomeUnknownError,
  ResponseTooLargeError,
  UsageError,
} from '../../src/index.ts'
import { nodeTransport } from '../../src/node.ts'
import { undiciTransport } from '../../src/undici.ts'
import { errorOf, ME_DATA, ME_TEXT, raw, served, WHOLE } from '../support/raw-server.ts'

const client = (options: FormwireOptions): Formwire =>
  new Formwire({ apiKey: 'svc_k', baseUrl: 'https://x.example', random: () => 0, ...options })
const endpoint = { url: 'https://x.example' }

describe('the default transport', () => {
  it('looks up the global fetch at each call', async () => {
    const original = globalThis.fetch
    const formwire = client({})
    try {
      globalThis.fetch = async () => Response.json(JSON.parse(ME_TEXT))
      expect(await formwire.me()).toEqual(ME_DATA)
    } finally {
      globalThis.fetch = original
    }
  })

  it('supports a fetch that accepts a Request and one that accepts a URL and init', async () => {
    const seen: unknown[] = []
    const byRequest = async (request: Request): Promise<Response> => {
      seen.push([request.method, request.url, request.headers.get('authorization'), await request.text()])
      return Response.json(JSON.parse(ME_TEXT))
    }
    const byUrl = async (input: unknown, init?: RequestInit): Promise<Response> => {
      seen.push([
        init?.method,
        new URL(String(input)).href,
        new Headers(init?.headers).get('authorization'),
        init?.body,
      ])
      return Response.json(JSON.parse(ME_TEXT))
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
      for (const options of [{ fetch }, {}]) {
        const original = globalThis.fetch
        globalThis.fetch = fetch
        try {
          await expect(client({ maxResponseBytes: 1000, ...options }).me()).rejects.toThrow(
            ResponseTooLargeError,
          )
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
    const server = createServer((_, response) =>
      response.setHeader('content-type', 'application/json').end(ME_TEXT),
    )
    server.on('connection', () => {
      connections += 1
    })
    const url = await serve(server)
    const transport = undiciTransport({ connections: 1 })
    const formwire = client({ baseUrl: url, transport })
    await Promise.all([formwire.me(), formwire.me(), formwire.me()])
    expect(connections).toBe(1)
  })

  it('refuses a dispatcher of undici 6, which waits for an abort with another method', async () => {
    // Like undici 6.29; packed-smoke tries the real one.
    const request = async ({ signal }: { signal: EventEmitter }) => signal.addListener('abort', () => {})
    const transport = undiciTransport({ dispatcher: { request } as never })
    const error = await errorOf(client({ transport }).me())
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
      .reply(200, ME_TEXT, { headers: { 'content-type': 'application/json' } })
    const transport = undiciTransport({ dispatcher: agent })
    expect(await client({ transport }).me()).toEqual(ME_DATA)
    await agent.close()

    const connects: string[] = []
    const proxy = createServer()
    proxy.on('connect', (request, socket) => {
      connects.push(request.url ?? '')
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.on('data', () => socket.end(WHOLE))
    })
    const through = client({
      baseUrl: 'http://x.example',
      allowInsecure: true,
      transport: undiciTransport({ proxy: await serve(proxy) }),
    })
    expect(await through.me()).toEqual(ME_DATA)
    expect(connects).toEqual(['x.example:80'])
  })
})

describe('the transport /node', () => {
  it('fails at once on an unrequested 101 and closes the connection', async () => {
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'
    let isClosed = false
    const url = await raw((socket) => {
      socket.on('close', () => {
        isClosed = true
      })
      socket.write(upgrade)
    })
    const error = await errorOf(client({ baseUrl: url, transport: nodeTransport(), maxRetries: 0 }).me())
    expect(error).toMatchObject({ name: 'ApiError', status: 101, attempts: 1 })
    await expect.poll(() => isClosed).toBe(true)
  })
})

it('throws OutcomeUnknownError if the response to a POST is too large', async () => {
  const baseUrl = await served(JSON.stringify({ data: 'x'.repeat(1000) }), {}, 201)
  const formwire = client({ baseUrl, maxResponseBytes: 100 })
  const error = await errorOf(formwire.webhooks.create('abcdefghijkl', endpoint))
  expect(error).toBeInstanceOf(OutcomeUnknownError)
  expect((error as Error).cause).toBeInstanceOf(ResponseTooLargeError)
})

describe('a custom fetch without web streams', () => {
  /** A Response as React Native or node-fetch has it. */
  const fetchOf = (text: string, bodyOf: (text: string) => unknown, status = 200) =>
    (async () => ({
      status,
      headers: new Headers({ 'content-type': 'application/json' }),
      body: bodyOf(text),
      text: async () => text,
      arrayBuffer: async () => new TextEncoder().encode(text).buffer,
    })) as unknown as typeof globalThis.fetch

  describe.each<[string, (text: string) => unknown]>([
    ['no body', () => undefined],
    ['a stream of Node', (text) => Readable.from([...Buffer.from(text)].map((byte) => Buffer.from([byte])))],
  ])('with %s', (_name, bodyOf) => {
    const clientOf = (fetch: typeof globalThis.fetch, maxResponseBytes?: number) =>
      new Formwire({ apiKey: 'svc_k', fetch, maxRetries: 0, rateLimit: false, maxResponseBytes })

    it('reads successes, errors and the result of a POST', async () => {
      expect(await clientOf(fetchOf(ME_TEXT, bodyOf)).me()).toEqual(ME_DATA)
      const created = '{"data":{"id":7,"url":"https://x.example","active":true,"secret":"whsec_1"}}'
      const endpoint = await clientOf(fetchOf(created, bodyOf, 201)).webhooks.create('abcdefghijkl', {
        url: 'https://x.example',
      })
      expect(endpoint.id).toBe(7)
      const missing = '{"error":{"code":"not_found","message":"No."}}'
      await expect(clientOf(fetchOf(missing, bodyOf, 404)).me()).rejects.toMatchObject({ envelope: true })
    })

    it('rejects more than maxResponseBytes', async () => {
      const size = Buffer.byteLength(ME_TEXT)
      expect(await clientOf(fetchOf(ME_TEXT, bodyOf), size).me()).toEqual(ME_DATA)
      await expect(clientOf(fetchOf(ME_TEXT, bodyOf), size - 1).me()).rejects.toBeInstanceOf(
        ResponseTooLargeError,
      )
    })
  })
})

describe('the transport /node', () => {
  class Broken extends Agent {
    override createConnection(
      ...[, created]: Parameters<Agent['createConnection']>
    ): ReturnType<Agent['createConnection']> {
      created?.(new Error('The tunnel is closed.'), new Duplex())
      return undefined
    }
  }

  it.each<[why: string, open: () => Promise<FormwireOptions>]>([
    [
      'the TLS handshake is interrupted',
      async () => ({ baseUrl: (await raw((socket) => socket.destroy())).replace('http:', 'https:') }),
    ],
    [
      'a custom agent has no connection for it',
      async () => ({ baseUrl: 'http://127.0.0.1:1', transport: nodeTransport({ agent: new Broken() }) }),
    ],
  ])('counts a POST as not sent if %s', async (_why, open) => {
    const { webhooks } = client({ transport: nodeTransport(), maxRetries: 1, ...(await open()) })
    const error = await errorOf(webhooks.create('abcdefghijkl', endpoint))
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ maybeSent: false, attempts: 2 })
  })
})
