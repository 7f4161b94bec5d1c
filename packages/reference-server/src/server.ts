import { asHostName, isLoopbackHost } from './app/browser-guard.ts'
import { createControl } from './app/control.ts'
import { Faults } from './app/faults.ts'
import { type App, createApp } from './app/index.ts'
import { Journal } from './app/journal.ts'
import { type Clock, ManualClock } from './clock.ts'
import type { Context } from './context.ts'
import { createDeliveryService } from './delivery/index.ts'
import { createApi } from './http/api.ts'
import { answerFetch, type FetchOptions } from './http/fetch.ts'
import { createHandler } from './http/handler.ts'
import { openApiArea } from './http/openapi.ts'
import { apiRoutes } from './http/operations/index.ts'
import { createRequestIds } from './http/request-ids.ts'
import { type Listener, listenOnSocket } from './http/socket.ts'
import { type ReferenceServerOptions, settle, settleClock, settleDns } from './options.ts'
import { publicFormArea } from './public-form/area.ts'
import { type RandomSource, randomText, systemRandom } from './random.ts'
import { emptySeed } from './seed/empty.ts'
import type { Seed } from './seed/format.ts'
import { type FirstLine, loadSeed } from './seed/load.ts'
import { State } from './store/state.ts'
import type { Unspecified } from './unspecified.ts'

/** The whole service in memory. */
export interface ReferenceServer {
  /** Resolves when the seed is loaded; rejects when it cannot be. `fetch` and `listen` wait for it by themselves. */
  readonly ready: Promise<void>
  /** One request without a socket. */
  fetch(request: Request | string | URL, options?: FetchOptions & RequestInit): Promise<Response>
  /** Opens a port; rejects when it is taken, and on a server that listens already or is closed. @default port 8787, host '127.0.0.1' */
  listen(options?: { port?: number; host?: string }): Promise<{ url: string }>
  /** Everything that people do "in the app". Ready at once with the seed `empty`, else after `ready`. */
  readonly app: App
  readonly clock: Clock
  /** What was settled for everything that the service document leaves open. */
  readonly unspecified: Unspecified
  /** Credential of `/_app`. */
  readonly adminToken: string
  /** Keys of the first line, and whom they belong to. Ready as `app` is. */
  readonly writeKey: string
  readonly readKey: string
  readonly workspaceId: number
  readonly userId: number
  /**
   * A server of its own that starts from this one's state, in the time of a few pointers: what neither changes is
   * shared. It does not listen, its faults and journal are empty, a manual clock starts at the same instant, and its
   * `reset` comes back to here. Attempts on their way stay with this server; what waits is tried by both.
   */
  fork(options?: ForkOptions): ReferenceServer
  /** Closes the port, ends what is under way, leaves no handle open. Safe to call twice. */
  close(): Promise<void>
  /** `await using server = createReferenceServer()` closes it at the end of the block. */
  [Symbol.asyncDispose](): Promise<void>
}

/** How a fork differs from where it comes from. */
export interface ForkOptions {
  /** Gives each webhook endpoint its address in the fork, for a receiver of its own. @default the same address */
  endpointUrl?: (url: string) => string
}

/** What a fork starts from instead of a seed. */
interface Origin {
  readonly first: FirstLine
  readonly state: State
  readonly adminToken: string
  readonly now: number
}

const DEFAULT_PORT = 8787
const DEFAULT_HOST = '127.0.0.1'
const ADMIN_TOKEN_LENGTH = 32

/** Makes a server. @throws OptionError for an option that cannot be used. */
export function createReferenceServer(options: ReferenceServerOptions = {}): ReferenceServer {
  return createServer(options)
}

function createServer(options: ReferenceServerOptions, origin?: Origin): ReferenceServer {
  const settings = settle(options)
  const clock = settleClock(origin && options.clock === 'manual' ? { ...options, now: origin.now } : options)
  const startedAt = clock.now()
  const random = options.random?.fork?.() ?? options.random ?? systemRandom
  const adminToken = origin?.adminToken ?? options.adminToken ?? randomText(random, ADMIN_TOKEN_LENGTH)
  const allowedHosts = new Set((options.allowedHosts ?? []).map(asHostName))
  const report = options.report ?? ((cause: unknown) => console.error(cause))

  const context: Context = {
    settings,
    clock,
    random,
    state: origin?.state ?? new State(),
    publish: (event) => delivery.engine.publish(event),
  }
  const delivery = createDeliveryService(context, report, settleDns(options.dns))
  let loaded: { first: FirstLine; base: State; random: RandomSource | undefined } | undefined
  const whenLoaded = () => {
    if (!loaded) throw new Error('The seed is not loaded yet: await server.ready first.')
    return loaded
  }
  const settled = (first: FirstLine) => ({ first, base: context.state.fork(), random: random.fork?.() })
  const load = (seed: Seed) => {
    const first = loadSeed(context, seed)
    loaded = settled(first)
  }

  const faults = new Faults()
  const requestIds = createRequestIds(random)
  const journal = new Journal(requestIds, options.journalSize)
  const replaceState = (state: State, now: number | undefined) => {
    if (now !== undefined && clock instanceof ManualClock) clock.set(now)
    context.state = state
    api.forgetLimits()
    delivery.reset()
  }
  const app = createApp({
    context,
    delivery,
    actor: () => whenLoaded().first,
    faults,
    journal,
    replaceState,
    reset: () => {
      const { base, random: restarted } = whenLoaded()
      if (restarted) context.random = restarted.fork?.() ?? restarted
      replaceState(base.fork(), startedAt)
      faults.restart()
      journal.clear()
    },
  })
  const api = createApi(context, apiRoutes(context, app.webhooks))
  const control = createControl({
    adminToken,
    allowedHosts,
    load: async () => (await import('./app/routes/index.ts')).controlRoutes(app, context),
  })
  const handler = createHandler({
    context,
    api,
    areas: [publicFormArea(context), control, openApiArea],
    faults,
    journal,
    requestIds,
    report,
  })

  const { seed = 'empty' } = options
  let ready = Promise.resolve()
  if (origin) loaded = settled(origin.first)
  else if (seed === 'empty') load(emptySeed())
  else {
    ready = readSeed(seed).then(load)
    // Whoever awaits it hears of it; nobody has to.
    ready.catch(() => undefined)
  }

  let listener: Listener | undefined
  let opening: Promise<Listener> | undefined
  let closing: Promise<void> | undefined
  const refuseClosed = () => {
    if (closing) throw new Error('The server is closed.')
  }
  const open = async (port: number, host: string): Promise<Listener> => {
    await ready
    refuseClosed()
    // Whom others reach, others may ask to call: the rules of a real deployment, unless said otherwise.
    if (options.addressRules === undefined && !isLoopbackHost(asHostName(host))) {
      settings.addressRules = 'production'
    }
    return listenOnSocket(handler, { port, host })
  }
  const closeListener = async () => {
    const opened = listener ?? (await opening?.catch(() => undefined))
    await opened?.close()
  }
  return {
    ready,
    clock,
    unspecified: settings.unspecified,
    adminToken,
    get app() {
      whenLoaded()
      return app
    },
    get writeKey() {
      return whenLoaded().first.writeKey
    },
    get readKey() {
      return whenLoaded().first.readKey
    },
    get workspaceId() {
      return whenLoaded().first.workspaceId
    },
    get userId() {
      return whenLoaded().first.userId
    },
    async fetch(request, init) {
      await ready
      const asked = request instanceof Request && !init ? request : new Request(request, init)
      return answerFetch(handler, asked, init?.address === undefined ? {} : { address: init.address })
    },
    async listen({ port = DEFAULT_PORT, host = DEFAULT_HOST } = {}) {
      refuseClosed()
      if (listener) throw new Error(`The server listens already, on ${listener.url}.`)
      if (opening) throw new Error('The server is about to listen already.')
      opening = open(port, host)
      try {
        listener = await opening
      } finally {
        opening = undefined
      }
      refuseClosed()
      allowedHosts.add(asHostName(host))
      if (options.publicUrl === undefined) settings.publicUrl = listener.url
      return { url: listener.url }
    },
    fork({ endpointUrl = (url: string) => url }: ForkOptions = {}) {
      const state = context.state.fork()
      for (const endpoint of state.endpoints.all()) {
        const url = endpointUrl(endpoint.url)
        if (url !== endpoint.url) state.endpoints.put({ ...endpoint, url })
      }
      const { first } = whenLoaded()
      const forked = { ...options, ...(context.random.fork ? { random: context.random } : {}) }
      return createServer(forked, { first, state, adminToken, now: clock.now() })
    },
    [Symbol.asyncDispose]() {
      return this.close()
    },
    close() {
      closing ??= Promise.all([delivery.close(), closeListener()]).then(() => undefined)
      return closing
    },
  }
}

/** Seeds beside `empty` are loaded late: faker and zod stay out of a start that needs neither. */
async function readSeed(seed: 'demo' | Seed): Promise<Seed> {
  if (seed === 'demo') return (await import('./seed/demo.ts')).demoSeed()
  return (await import('./seed/parse.ts')).parseSeed(seed)
}
