import { parseJson } from '@formwire/internal/json'
import { setupServer } from 'msw/node'
import { handlers } from '../../src/http/transports/msw.ts'
import { createReferenceServer, type ReferenceServer, type ReferenceServerOptions } from '../../src/index.ts'
import { DeadlineClock } from '../delivery/deadline-clock.ts'
import type { Told } from '../support/server.ts'
import type { Transport } from './every-transport/case.ts'
import { KEYS, NOW, SEED } from './seed.ts'

/** How a request differs from a GET with the write key. */
interface Ask {
  /** `null` sends no key. @default the owner's write key */
  key?: string | null
  /** Sent as JSON. */
  json?: unknown
  /** Sent unchanged. */
  body?: string | Uint8Array
  headers?: Record<string, string>
}

/** A request and its response. */
export interface Exchange extends Omit<Told, 'json'> {
  readonly method: string
  /** Below the root of the server, with its query. */
  readonly path: string
}

/** One server with the common seed, reached over one transport. */
export interface World {
  readonly server: ReferenceServer
  readonly clock: DeadlineClock
  /** Root of the server, without a trailing slash. */
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  /** Requests a path below `/api/v1`. */
  api(method: string, path: string, ask?: Ask): Promise<Told>
  /** Requests a path below `/_app` with the admin token. */
  app(method: string, path: string, ask?: Omit<Ask, 'key'>): Promise<Told>
  /** Requests any path, without a credential by default. */
  any(method: string, path: string, ask?: Ask): Promise<Told>
  close(): Promise<void>
}

/**
 * Starts a server with a manual clock at `NOW`, reached over a transport. `observe` is called with every exchange,
 * those of the control API included.
 */
export async function openWorld(
  transport: Transport,
  options: ReferenceServerOptions = {},
  observe?: (exchange: Exchange) => void,
): Promise<World> {
  const clock = new DeadlineClock(Date.parse(NOW))
  const server = createReferenceServer({ seed: SEED, clock, ...options })
  await server.ready
  // Vi created her write key as an editor: a viewer cannot create one (AUTH-04, AUTH-05).
  server.app.members.set(1, 3, 'viewer')
  const { fetch: send, baseUrl, close } = await connect(transport, server)
  const fetch: World['fetch'] = async (input, init) => {
    const response = await send(input, init)
    observe?.({
      method: init?.method ?? 'GET',
      path: String(input).slice(baseUrl.length),
      status: response.status,
      headers: response.headers,
      text: await response.clone().text(),
    })
    return response
  }
  const any: World['any'] = async (method, path, { key = null, json, body, headers } = {}) => {
    const sent = new Headers(headers)
    if (key !== null) sent.set('authorization', `Bearer ${key}`)
    if (json !== undefined && !sent.has('content-type')) sent.set('content-type', 'application/json')
    const payload = json === undefined ? body : JSON.stringify(json)
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: sent,
      ...(payload === undefined ? {} : { body: payload as string }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parseJson(text) }
  }
  return {
    server,
    clock,
    baseUrl,
    fetch,
    any,
    api: (method, path, ask) => any(method, `/api/v1${path}`, { key: KEYS.write, ...ask }),
    app: (method, path, ask) => any(method, `/_app${path}`, { ...ask, key: server.adminToken }),
    async close() {
      await close()
      await server.close()
    },
  }
}

interface Connection {
  readonly fetch: typeof globalThis.fetch
  readonly baseUrl: string
  readonly close: () => Promise<void>
}

async function connect(transport: Transport, server: ReferenceServer): Promise<Connection> {
  if (transport === 'socket') {
    const { url } = await server.listen({ port: 0 })
    return { fetch: globalThis.fetch, baseUrl: url, close: async () => {} }
  }
  if (transport === 'msw') {
    const baseUrl = 'https://forms.example.com'
    const mock = setupServer(...handlers(server, { baseUrl }))
    mock.listen({ onUnhandledRequest: 'error' })
    return { fetch: (...call) => globalThis.fetch(...call), baseUrl, close: async () => mock.close() }
  }
  return {
    fetch: (input, init) => server.fetch(new Request(input, init)),
    baseUrl: 'http://formwire.test',
    close: async () => {},
  }
}
