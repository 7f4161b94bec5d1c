import { onTestFinished } from 'vitest'
import { createReferenceServer, type ReferenceServer, type ReferenceServerOptions } from '../../src/index.ts'

/** Creates a server that is closed when the test has finished. */
export function openServer(options: ReferenceServerOptions = {}): ReferenceServer {
  const server = createReferenceServer(options)
  onTestFinished(() => server.close())
  return server
}

/** Whatever an answer holds: a test says what it expects. */
// biome-ignore lint/suspicious/noExplicitAny: a wrong path shows as a failed expectation
export type Json = any

/** An answer, read to its end. */
export interface Told {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; `undefined` when it is none. */
  readonly json: Json
}

/**
 * Calls a server in process: below `/api` with the write key, below `/_app` with the admin token, unless `headers` say otherwise. A
 * body is sent as JSON, but texts and forms as they are.
 */
export async function ask(
  server: ReferenceServer,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Told> {
  const key = path.startsWith('/api/') ? server.writeKey : server.adminToken
  const isSentAsIs = typeof body === 'string' || body instanceof FormData
  const answer = await server.fetch(`http://formwire.test${path}`, {
    method,
    headers: {
      ...(/^\/(?:api|_app)\//.test(path) && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && !isSentAsIs && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isSentAsIs ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, json: parse(text) }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Calls one server. */
export const asker =
  (server: ReferenceServer) =>
  (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Told> =>
    ask(server, method, path, body, headers)
