import { createServer } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import type { FormStatus, QueueStatus, RunStatus } from '@formwire/sync'
import type { Context } from '../context.ts'
import { portFailure } from '../input/parse.ts'
import { version } from '../version.ts'
import { EXPOSITION_TYPE, exposition } from './metrics.ts'
import { outageText } from './store.ts'

/** A workspace that is synchronized. */
interface WorkspaceHealth {
  workspace: string
  /** What is done for it in this process. */
  status: RunStatus
  /** How far its tables are. @throws if the database cannot be read */
  forms(): Promise<readonly FormStatus[]>
}

/** What a synchronization shows of itself. */
export interface HealthSource {
  workspaces(): readonly WorkspaceHealth[]
  /** The queue of a fleet. @throws if the database cannot be read */
  queue?(): Promise<QueueStatus>
  /** Reads nothing from the database. @throws if it cannot be reached */
  ping(): Promise<unknown>
}

/** What the database says. */
interface Stored {
  forms: ReadonlyMap<string, readonly FormStatus[]>
  queue: QueueStatus | undefined
}

/** The response to a GET request. */
export interface HealthResponse {
  status: number
  contentType: string
  body: string
}

/** Milliseconds for which the numbers of the tables are used again: to count rows takes long for many. */
const FRESH_MS = 15_000

/** Milliseconds after which the database counts as out of reach. */
const PATIENCE_MS = 5_000

/** Responds to scrapes and health checks. */
export class SyncHealth {
  readonly #watched: HealthSource
  readonly #now: () => number
  #stored: { at: number; read: Promise<Stored | undefined> } | undefined

  constructor(watched: HealthSource, now: () => number) {
    this.#watched = watched
    this.#now = now
  }

  /** Returns the response for a path, or undefined for an unknown one. */
  async respond(path: string): Promise<HealthResponse | undefined> {
    if (path === '/metrics') {
      const stored = await this.#readStored()
      const workspaces = this.#watched.workspaces().map(({ workspace, status }) => ({
        workspace,
        status,
        forms: stored?.forms.get(workspace),
      }))
      const isDatabaseUp = stored !== undefined
      const isReady = isDatabaseUp && this.#unready().length === 0
      const body = await exposition({ workspaces, queue: stored?.queue, isDatabaseUp, isReady, version })
      return { status: 200, contentType: EXPOSITION_TYPE, body }
    }
    if (path === '/healthz') return verdict(this.#stuck())
    if (path === '/readyz') {
      const reasons = this.#unready()
      const failure = await within(this.#watched.ping())
      if (failure) reasons.push(`the database cannot be reached: ${failure}`)
      return verdict([...new Set(reasons)])
    }
    return undefined
  }

  /** Returns the numbers of the database; one read at a time, and none while the last one is fresh. */
  #readStored(): Promise<Stored | undefined> {
    if (this.#stored && this.#now() - this.#stored.at < FRESH_MS) return this.#stored.read
    const reading = readStored(this.#watched)
    const read = within(reading).then((failure) => (failure === undefined ? reading : undefined))
    const stored = { at: this.#now(), read }
    this.#stored = stored
    // A failure is not fresh: the next scrape tries again.
    void read.then((found) => {
      if (found === undefined && this.#stored === stored) this.#stored = undefined
    })
    return read
  }

  #stuck(): string[] {
    const now = new Date(this.#now()).toISOString()
    return this.#watched
      .workspaces()
      .filter(({ status: { expected_by } }) => expected_by !== null && expected_by < now)
      .map(({ workspace, status }) => `workspace ${workspace} should have moved by ${status.expected_by}`)
  }

  #unready(): string[] {
    return this.#watched.workspaces().flatMap(({ workspace, status: { is_started, outage } }) => {
      const reasons = is_started ? [] : [`the first round of workspace ${workspace} has not ended`]
      return outage === null ? reasons : [...reasons, outageText(workspace, outage)]
    })
  }
}

async function readStored(watched: HealthSource): Promise<Stored> {
  const forms = new Map<string, readonly FormStatus[]>()
  for (const one of watched.workspaces()) forms.set(one.workspace, await one.forms())
  return { forms, queue: await watched.queue?.() }
}

function verdict(reasons: readonly string[]): HealthResponse {
  const ok = reasons.length === 0
  const body = `${JSON.stringify(ok ? { ok } : { ok, reasons })}\n`
  return { status: ok ? 200 : 503, contentType: 'application/json', body }
}

/** Returns why a read of the database failed, without what it contains: a code, or that it took too long. */
async function within(read: Promise<unknown>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), PATIENCE_MS)
  })
  const failed = read.then(
    () => undefined,
    (error: { code?: unknown }) =>
      typeof error?.code === 'string' ? `database_${error.code}` : 'database_error',
  )
  return await Promise.race([failed, late]).finally(() => clearTimeout(timer))
}

/** Connections at most: a few scrapers and health checks. */
const MAX_CONNECTIONS = 64

/** Milliseconds for a request to arrive. */
const REQUEST_MS = 5_000

const FAILED = { status: 500, contentType: 'text/plain; charset=utf-8', body: 'Internal error.\n' }

/** Where metrics and health checks are served. */
export interface MetricsAddress {
  host: string
  port: number
}

/** Starts to serve metrics and health checks, and announces their URL. They end with the command. @throws Failure exit 2 */
export async function serveMetrics(
  context: Context,
  watched: HealthSource,
  { host, port }: MetricsAddress,
): Promise<void> {
  const { runtime, output } = context
  const watch = new SyncHealth(watched, () => runtime.clock.now())
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
