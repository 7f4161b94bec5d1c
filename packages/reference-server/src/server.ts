import { LIMITS } from '@formwire/contract'
import { type App, createApp } from './app.ts'
import { type Clock, ManualClock } from './clock/index.ts'
import { landingGroup } from './console/landing-group.ts'
import { SignInCodes } from './console/sign-in-codes.ts'
import type { Context } from './context.ts'
import { asHostName, isLoopbackHost } from './control/browser-guard.ts'
import { BuiltInReceiver, needsBuiltInReceiver } from './control/built-in-receiver.ts'
import { createControlApi } from './control/control-api.ts'
import { Receivers } from './control/receivers.ts'
import { createDeliveryService } from './delivery/index.ts'
import { EventChannel } from './domain/events.ts'
import { ServiceError } from './domain/service-error.ts'
import { createApi } from './http/api.ts'
import { Faults } from './http/faults/faults.ts'
import { createHandler } from './http/handler.ts'
import { Journal } from './http/journal.ts'
import { openApiGroup } from './http/openapi.ts'
import { apiRoutes } from './http/operations/index.ts'
import { createRequestIds } from './http/request-ids.ts'
import { type FetchOptions, handleFetch } from './http/transports/fetch.ts'
import { type Listener, listenOnSocket } from './http/transports/socket.ts'
import { namesOf, OptionError, refuseUnknownOptions } from './known-names.ts'
import { type ReferenceServerOptions, resolveClock, resolveDns, resolveSettings } from './options.ts'
import { ByteBudget } from './policy/byte-budget.ts'
import { publicFormGroup } from './public-form/route-group.ts'
import { type RandomSource, randomText, systemRandom } from './random.ts'
import type { TimeSource } from './real-timers.ts'
import type { DemoHistory } from './seed/demo-history/index.ts'
import { emptySeed } from './seed/empty.ts'
import type { Seed } from './seed/format.ts'
import { loadSeed } from './seed/load.ts'
import { type BootstrapCredentials, printKeys, requireWriter } from './services/bootstrap-credentials.ts'
import { readSnapshot } from './services/snapshots.ts'
import type { Settings } from './settings.ts'
import { FormsTable } from './store/forms.ts'
import { State } from './store/state.ts'
import type { Unspecified } from './unspecified.ts'

/** The whole service in memory. */
export interface ReferenceServer {
  /** Resolves once the seed is loaded, and rejects when it is invalid. `fetch` and `listen` wait for it. */
  readonly ready: Promise<void>
  /**
   * Handles a request in process, without a socket.
   *
   * @example const response = await server.fetch('http://formwire.test/api/v1/me', { headers })
   */
  fetch(request: Request | string | URL, options?: FetchOptions & RequestInit): Promise<Response>
  /**
   * Listens on a port. Rejects when the port is in use, and when the server is already listening or closed.
   * @default port 8787, host '127.0.0.1'
   *
   * @example const { url } = await server.listen({ port: 0 }) // any free port
   */
  listen(options?: ListenOptions): Promise<{ url: string }>
  /** The control API in process: what people do in the web app. With a seed other than `empty`, await `ready` first. */
  readonly app: App
  readonly clock: Clock
  /** The value in effect for each unspecified behaviour. */
  readonly unspecified: Unspecified
  /** Token of the control API, `/_app`. */
  readonly adminToken: string
  /**
   * Returns a code for a link to the console, `/_app/console#code=…`: it signs in one tab, once, within 10 minutes.
   * @example open(`${url}/_app/console#code=${server.signInCode()}`)
   */
  signInCode(): string
  /** The server's own keys, with their workspace and user. Available when `app` is. */
  readonly writeKey: string
  readonly readKey: string
  readonly workspaceId: number
  readonly userId: number
  /**
   * Returns an independent server that starts from the current state, in O(1). It does not listen, its faults and
   * journal are empty, a manual clock starts at the same instant, and its `reset` returns to this state. Attempts in
   * flight stay with this server; pending deliveries are sent by both.
   */
  fork(options?: ForkOptions): ReferenceServer
  /** Closes the port, ends work in flight and leaves no handle open. May be called more than once. */
  close(): Promise<void>
  /** `await using server = createReferenceServer()` closes it at the end of the block. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Where a server listens. */
interface ListenOptions {
  port?: number
  host?: string
  /** Whether the port keeps the process alive until the server is closed. @default true */
  ref?: boolean
}

/** How a fork differs from its origin. */
export interface ForkOptions {
  /**
   * Returns the URL of a webhook endpoint in the fork. @default the same URL
   *
   * @example server.fork({ endpointUrl: () => receiver.url })
   */
  endpointUrl?: (url: string) => string
}

/** What a fork starts from, in place of a seed. */
interface Origin {
  readonly first: BootstrapCredentials
  readonly state: State
  readonly adminToken: string
  readonly now: number
}

const LISTEN_OPTIONS = namesOf<ListenOptions>({ port: true, host: true, ref: true })
const FORK_OPTIONS = namesOf<ForkOptions>({ endpointUrl: true })
const DEFAULT_PORT = 8787
const DEFAULT_HOST = '127.0.0.1'
const ADMIN_TOKEN_LENGTH = 32

/**
 * Creates a server with the whole service in memory. It needs no port until `listen` is called.
 *
 * @throws OptionError for an invalid option.
 * @example
 * await using server = createReferenceServer({ clock: 'manual' })
 * const form = server.app.forms.create({ title: 'Survey' })
 * await server.clock.advance('12h')
 */
export function createReferenceServer(options: ReferenceServerOptions = {}): ReferenceServer {
  return createServer(options)
}

/**
 * Creates a server for the test kit, or a fork.
 *
 * @param deadlines Times the deadlines of delivery attempts. @default that of the clock, or real time
 */
export function createServer(
  options: ReferenceServerOptions,
  origin?: Origin,
  deadlines?: TimeSource,
): ReferenceServer {
  const settings = resolveSettings(options)
  const { filesTotalMaxBytes } = settings.limits
  const restored = origin ? undefined : readSnapshotOption(options, settings)
  const restoredAt = origin?.now ?? restored?.takenAt
  const clock = resolveClock(
    restoredAt !== undefined && options.clock === 'manual' ? { ...options, now: restoredAt } : options,
  )
  const startedAt = clock.now()
  const random = options.random?.fork?.() ?? options.random ?? systemRandom
  const adminToken = origin?.adminToken ?? options.adminToken ?? randomText(random, ADMIN_TOKEN_LENGTH)
  const allowedHosts = new Set((options.allowedHosts ?? []).map(asHostName))
  const report = options.report ?? ((cause: unknown) => console.error(cause))

  const context: Context = {
    settings,
    clock,
    random,
    state: origin?.state ?? restored?.state ?? new State({ forms: new FormsTable(settings.unspecified) }),
    // The largest body always fits, even when the limit for files is low.
    bodyBudgets: {
      withFiles: new ByteBudget(filesTotalMaxBytes + LIMITS.bodyMaxBytes),
      withoutFiles: new ByteBudget(filesTotalMaxBytes / 4 + LIMITS.bodyMaxBytes),
    },
    events: new EventChannel(),
  }
  const delivery = createDeliveryService(context, report, resolveDns(options.dns), deadlines)
  let loaded: { first: BootstrapCredentials; base: State; random: RandomSource | undefined } | undefined
  const whenLoaded = () => {
    if (!loaded) throw new Error('The seed is not loaded yet; await server.ready first.')
    return loaded
  }
  const settled = (first: BootstrapCredentials) => ({
    first,
    base: context.state.fork(),
    random: random.fork?.(),
  })
  let history: DemoHistory | undefined
  const load = ({ seed, writeHistory }: LoadableSeed) => {
    const first = loadSeed(context, seed)
    history = writeHistory?.(context)
    loaded = settled(first)
    if (!history) return
    journal.addHistory(history.requests)
    // The history has pending deliveries.
    delivery.engine.reset()
  }

  const faults = new Faults()
  const requestIds = createRequestIds(random)
  const journal = new Journal(requestIds, options.journalSize)
  const replaceState = (state: State, now: number | undefined) => {
    if (now !== undefined && clock instanceof ManualClock) clock.set(now)
    context.state = state
    builtInReceiver.connect(state)
    api.forgetLimits()
    delivery.reset()
  }
  const receivers = new Receivers(clock)
  const builtInReceiver = new BuiltInReceiver(clock)
  const startBuiltIn = async () => {
    const started = await builtInReceiver.start()
    builtInReceiver.connect(context.state)
    return started
  }
  const closed = new AbortController()
  const signIns = new SignInCodes()
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
      if (history) journal.addHistory(history.requests)
      builtInReceiver.restart()
      void receivers.clear()
    },
  })
  const api = createApi(context, apiRoutes(context, app.webhooks))
  const control = createControlApi({
    adminToken,
    allowedHosts,
    load: async () => {
      const [{ controlRoutes }, { Previews }] = await Promise.all([
        import('./control/routes/index.ts'),
        import('./control/previews.ts'),
      ])
      return controlRoutes({
        app,
        context,
        journal,
        receivers,
        builtIn: {
          running: () => builtInReceiver.running(),
          start: startBuiltIn,
          setScript: (script) => builtInReceiver.setScript(script),
        },
        previews: new Previews(async () => {
          const { previewFile, previewPage } = await import('./public-form/preview-page.ts')
          return { page: (content, view) => previewPage(content, context, view), file: previewFile }
        }),
        isHistory: ({ id, status, attempts }) => {
          const before = history?.deliveries.get(id)
          return before?.status === status && before.attempts.length === attempts.length
        },
        redeemSignIn: (code) => (signIns.redeem(code) ? adminToken : undefined),
        closing: closed.signal,
      })
    },
  })
  const handler = createHandler({
    context,
    api,
    groups: [publicFormGroup(context), control, openApiGroup, landingGroup],
    faults,
    journal,
    requestIds,
    report,
  })

  const { seed = 'empty' } = options
  let ready = Promise.resolve()
  if (origin) loaded = settled(origin.first)
  else if (restored) loaded = settled(printKeys(context))
  else if (seed === 'empty') load({ seed: emptySeed() })
  else {
    ready = readSeed(seed).then(load)
    // A caller that does not await `ready` must not get an unhandled rejection.
    ready.catch(() => undefined)
  }

  let listener: Listener | undefined
  let opening: Promise<Listener> | undefined
  let closing: Promise<void> | undefined
  const refuseClosed = () => {
    if (closing) throw new Error('The server is closed.')
  }
  const open = async (port: number, host: string, ref: boolean): Promise<Listener> => {
    await ready
    refuseClosed()
    // Before the first request, so that the URLs of the endpoints do not change under a client.
    if (needsBuiltInReceiver(context.state)) await startBuiltIn()
    refuseClosed()
    // Reachable from the network: apply the production address rules unless the option is set.
    if (options.addressRules === undefined && !isLoopbackHost(asHostName(host))) {
      settings.addressRules = 'production'
    }
    return listenOnSocket(handler, { port, host, ref })
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
    signInCode: () => signIns.issue(),
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
      return handleFetch(handler, asked, init?.address === undefined ? {} : { address: init.address })
    },
    async listen(where = {}) {
      refuseUnknownOptions(where, LISTEN_OPTIONS, 'listen')
      const { port = DEFAULT_PORT, host = DEFAULT_HOST, ref = true } = where
      refuseClosed()
      if (listener) throw new Error(`The server is already listening on ${listener.url}.`)
      if (opening) throw new Error('listen() was already called.')
      opening = open(port, host, ref)
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
    fork(difference: ForkOptions = {}) {
      refuseUnknownOptions(difference, FORK_OPTIONS, 'fork')
      const { endpointUrl = (url: string) => url } = difference
      const state = context.state.fork()
      for (const endpoint of state.endpoints.all()) {
        const url = endpointUrl(endpoint.url)
        if (url !== endpoint.url) state.endpoints.put({ ...endpoint, url })
      }
      const { first } = whenLoaded()
      const forked = { ...options, ...(context.random.fork ? { random: context.random } : {}) }
      return createServer(forked, { first, state, adminToken, now: clock.now() }, deadlines)
    },
    [Symbol.asyncDispose]() {
      return this.close()
    },
    close() {
      closed.abort()
      closing ??= Promise.all([
        delivery.close(),
        closeListener(),
        receivers.close(),
        builtInReceiver.close(),
      ]).then(() => undefined)
      return closing
    },
  }
}

/** @throws OptionError for a snapshot that is damaged or of another version. */
function readSnapshotOption({ seed, snapshot }: ReferenceServerOptions, settings: Settings) {
  if (snapshot === undefined) return undefined
  if (seed !== undefined) throw new OptionError('seed and snapshot cannot be combined; pass one of them.')
  try {
    const content = readSnapshot(settings, snapshot as Readonly<Record<string, unknown>>)
    requireWriter(content.state)
    return content
  } catch (cause) {
    if (cause instanceof ServiceError) throw new OptionError(`snapshot: ${cause.message}`)
    throw cause
  }
}

/** A seed, and the history to write once it is loaded. */
interface LoadableSeed {
  readonly seed: Seed
  readonly writeHistory?: (context: Context) => DemoHistory
}

/** Loads faker or zod only for the seeds that need them. */
async function readSeed(seed: 'demo' | Seed): Promise<LoadableSeed> {
  if (seed !== 'demo') return { seed: (await import('./seed/parse.ts')).parseSeed(seed) }
  const [{ demoSeed }, { writeDemoHistory }] = await Promise.all([
    import('./seed/demo.ts'),
    import('./seed/demo-history/index.ts'),
  ])
  return { seed: await demoSeed(), writeHistory: writeDemoHistory }
}
