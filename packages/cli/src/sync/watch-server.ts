import { createServer } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import type { Context } from '../context.ts'
import { portFailure } from '../input/port.ts'
import { Watch, type Watched } from './watch.ts'

/** Connections at most: a few scrapers and health checks. */
const MAX_CONNECTIONS = 64

/** Milliseconds for a request to arrive. */
const REQUEST_MS = 5_000

const FAILED = { status: 500, contentType: 'text/plain; charset=utf-8', body: 'Internal error.\n' }

/** Where metrics and health checks are served. */
export interface WatchAddress {
  host: string
  port: number
}

/** Starts to serve metrics and health checks, and announces their URL. They end with the command. @throws Failure exit 2 */
export async function serveWatch(
  context: Context,
  watched: Watched,
  { host, port }: WatchAddress,
): Promise<void> {
  const { runtime, output } = context
  const watch = new Watch(watched, () => runtime.clock.now())
  const server = createServer(
    { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS, connectionsCheckingInterval: 1_000 },
    async ({ method, url = '' }, response) => {
      const send = (status: number, contentType: string, body: string): void => {
        response.writeHead(status, {
          'content-type': contentType,
          'content-length': Buffer.byteLength(body),
          'cache-control': 'no-store',
          ...(status === 405 && { allow: 'GET' }),
        })
        response.end(body)
      }
      const text = 'text/plain; charset=utf-8'
      if (method !== 'GET') return send(405, text, 'Only GET is allowed.\n')
      const found = await watch.respond(url.replace(/\?.*/s, '')).catch(() => FAILED)
      if (found) return send(found.status, found.contentType, found.body)
      send(404, text, 'Not found: use /metrics, /healthz or /readyz.\n')
    },
  )
  server.maxConnections = MAX_CONNECTIONS
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, resolve)
    })
  } catch (error) {
    throw portFailure(error, port, '--metrics')
  }
  context.onExit(() => {
    server.close()
    server.closeAllConnections()
  })
  const bound = (server.address() as AddressInfo).port
  const url = `http://${isIPv6(host) ? `[${host}]` : host}:${bound}/metrics`
  output.announce('metrics', `metrics at ${url}`, { url, port: bound })
}
