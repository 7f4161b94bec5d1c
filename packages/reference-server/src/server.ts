import type { App } from './app.ts'
import type { Clock } from './clock/index.ts'
import { landingGroup } from './console/landing.ts'
import { SignInCodes } from './console/sign-in-codes.ts'
import { createHandler, createRouteGroup, type Handler, openApiGroup } from './http/handler.ts'
import { type FetchOptions, handleFetch } from './http/transports/fetch.ts'
import { namesOf, refuseUnknownOptions } from './known-names.ts'
import { type ReferenceServerOptions, resolveSettings } from './options.ts'
import type { TimeSource } from './real-timers.ts'
import { composeApis } from './server/apis.ts'
import { createLifecycle, type ListenOptions } from './server/lifecycle.ts'
import { composeParts, type Origin } from './server/parts.ts'
import { originOfSnapshot, Seeding } from './server/seeding.ts'
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

/** How a fork differs from its origin. */
export interface ForkOptions {
  /**
   * Returns the URL of a webhook endpoint in the fork. @default the same URL
   *
   * @example server.fork({ endpointUrl: () => receiver.url })
   */
  endpointUrl?: ((url: string) => string) | undefined
}

const FORK_OPTIONS = namesOf<ForkOptions>({ endpointUrl: true })

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
  forkedFrom?: Origin,
  deadlines?: TimeSource,
): ReferenceServer {
  const settings = resolveSettings(options)
  const origin = forkedFrom ?? originOfSnapshot(options, settings)
  const parts = composeParts(options, settings, origin, deadlines)
  const { context, adminToken } = parts
  const { clock } = context
  const seeding = new Seeding(parts, options, origin)
  const signIns = new SignInCodes()
  const { api, app, control } = composeApis(parts, seeding, signIns)
  const publicForms = createRouteGroup('/f', async () =>
    (await import('./public-form/routes.ts')).publicFormRoutes(context),
  )
  const handler: Handler = createHandler({
    ...parts,
    api,
    groups: [publicForms, control, openApiGroup, landingGroup],
  })
  const { listen, close } = createLifecycle(parts, options, seeding.ready, handler)

  return {
    ready: seeding.ready,
    clock,
    unspecified: settings.unspecified,
    adminToken,
    signInCode: () => signIns.issue(),
    get app() {
      seeding.requireLoaded()
      return app
    },
    get writeKey() {
      return seeding.credentials.writeKey
    },
    get readKey() {
      return seeding.credentials.readKey
    },
    get workspaceId() {
      return seeding.credentials.workspaceId
    },
    get userId() {
      return seeding.credentials.userId
    },
    async fetch(request, init) {
      await seeding.ready
      const asked = request instanceof Request && !init ? request : new Request(request, init)
      return handleFetch(handler, asked, init?.address === undefined ? {} : { address: init.address })
    },
    listen,
    fork(difference: ForkOptions = {}) {
      refuseUnknownOptions(difference, FORK_OPTIONS, 'fork')
      const { endpointUrl = (url: string) => url } = difference
      parts.delivery.beforeRead()
      const state = context.state.fork()
      for (const endpoint of state.endpoints.all()) {
        const url = endpointUrl(endpoint.url)
        if (url !== endpoint.url) state.endpoints.put({ ...endpoint, url })
      }
      const { credentials } = seeding
      const forked = { ...options, ...(context.random.fork ? { random: context.random } : {}) }
      return createServer(forked, { state, now: clock.now(), forked: { credentials, adminToken } }, deadlines)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
