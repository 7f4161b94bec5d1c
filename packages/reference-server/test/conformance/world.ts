import { setupServer } from 'msw/node'
import { handlers } from '../../src/http/msw.ts'
import { createReferenceServer, type ReferenceServer, type ReferenceServerOptions } from '../../src/index.ts'
import type { Door } from './case.ts'
import { KEYS, NOW, SEED } from './seed.ts'

/** What a request differs by from a GET with the write key. */
interface Ask {
  /** `null` sends no key. @default the owner's write key */
  key?: string | null
  /** Sent as JSON. */
  json?: unknown
  /** Sent as it is. */
  body?: string | Uint8Array
  headers?: Record<string, string>
}

/** What came back. */
interface Told {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; `undefined` when there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: cases compare it with literals
  readonly json: any
}

/** One server with the common seed behind one door. */
export interface World {
  readonly server: ReferenceServer
  /** Asks a path below `/api/v1`. */
  api(method: string, path: string, ask?: Ask): Promise<Told>
  /** Asks a path below `/_app` with the admin token. */
  app(method: string, path: string, ask?: Omit<Ask, 'key'>): Promise<Told>
  /** Asks any path, without a credential unless one is given. */
  any(method: string, path: string, ask?: Ask): Promise<Told>
  close(): Promise<void>
}

/** Opens a server behind a door. Its clock is manual and starts at `NOW`. */
export async function openWorld(door: Door, options: ReferenceServerOptions = {}): Promise<World> {
  const server = createReferenceServer({ seed: SEED, clock: 'manual', now: NOW, ...options })
  await server.ready
  // She made her write key while she was an editor: no viewer could (AUTH-04, AUTH-05).
  server.app.members.set(1, 3, 'viewer')
  const { fetch, baseUrl, close } = await openDoor(door, server)
  const any: World['any'] = async (method, path, { key = null, json, body, headers } = {}) => {
    const sent = new Headers(headers)
    if (key !== null) sent.set('authorization', `Bearer ${key}`)
    if (json !== undefined && !sent.has('content-type')) sent.set('content-type', 'application/json')
    const payload = json === undefined ? body : JSON.stringify(json)
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers: sent,
      ...(payload === undefined ? {} : { body: payload as string }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, json: parse(text) }
  }
  return {
    server,
    any,
    api: (method, path, ask) => any(method, `/api/v1${path}`, { key: KEYS.write, ...ask }),
    app: (method, path, ask) => any(method, `/_app${path}`, { ...ask, key: server.adminToken }),
    async close() {
      await close()
      await server.close()
    },
  }
}

interface OpenDoor {
  readonly fetch: typeof globalThis.fetch
  readonly baseUrl: string
  readonly close: () => Promise<void>
}

async function openDoor(door: Door, server: ReferenceServer): Promise<OpenDoor> {
  if (door === 'socket') {
    const { url } = await server.listen({ port: 0 })
    return { fetch: globalThis.fetch, baseUrl: url, close: async () => {} }
  }
  if (door === 'msw') {
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
