import type { CreatedWebhookEndpoint } from '@formwire/contract'
import { given } from '@formwire/internal/given'
import { RunningTime } from '../clock/running-time.ts'
import { requireMicrotasks, requireNextTick } from '../fake-timers.ts'
import { namesOf, OptionError, refuseUnknownOptions } from '../known-names.ts'
import { IN_PROCESS_URL, type ReferenceServerOptions, SERVER_OPTIONS } from '../options.ts'
import type { PullFrom } from '../pull/pull-from.ts'
import { seededRandom } from '../random.ts'
import { createMockReceiver, type MockReceiver, type MockReceiverOptions } from '../receiver/index.ts'
import { createServer, type ReferenceServer } from '../server.ts'
import { NO_LIMITS_PER_MINUTE } from '../settings.ts'
import { createWaits, type Waits } from './waits.ts'

/** Options of a test kit: those of a reference server, with other defaults for `clock`, `randomSeed`, `limits` and `deliveryTimeoutMs`. */
export interface StartOptions extends ReferenceServerOptions {
  /** `manual` only moves when it is advanced. @default 'manual' */
  clock?: ReferenceServerOptions['clock']
  /** Seed for ids, keys and secrets; `'system'` generates new ones on every run. @default 1 */
  randomSeed?: number | 'system' | undefined
  /** Also listens on a free loopback port, for clients that do not accept a `fetch`. @default false */
  listen?: boolean | undefined
  /**
   * Limits to change, or `'off'` to disable them all. The limits of requests per minute are off, since a client would wait in real
   * time for a minute that a manual clock never passes; test what your client does on 429 with
   * `limits: { requestsPerMinute: 120 }` (RATE-01), `{ failedAuthPerMinute: 30 }` (RATE-02), or a fault.
   * @default { requestsPerMinute: Infinity, failedAuthPerMinute: Infinity }
   */
  limits?: ReferenceServerOptions['limits']
  /**
   * Deadline of a delivery attempt, in real milliseconds whatever the clock: shorter than the 10 seconds of the service
   * (DLV-05), so that an advance over several timeouts ends before a test runner's limit of 5 seconds. Of a pause in which the
   * process is busy or gets no processor time, 50 count. Pass more for a receiver that responds later. @default 1000
   */
  deliveryTimeoutMs?: number | undefined
  /** Options of the mock receiver. @default {} */
  receiver?: MockReceiverOptions | undefined
  /**
   * A service whose workspace to serve, read once at the start with GET requests: all forms unless `forms` names some. Personal data is replaced
   * unless `scrub` is false. Not together with `seed` or `snapshot`.
   *
   * @example { baseUrl: 'https://forms.example.com', apiKey, forms: ['guestvoice01'] }
   */
  pull?: PullFrom | undefined
  /** @default the environment variable FORMWIRE_UNSPECIFIED, or 'default' */
  unspecified?: ReferenceServerOptions['unspecified']
}

/** Options for `new Formwire(clientOptions)`, or for another client. */
export interface ClientOptions {
  apiKey: string
  /** Root of the service, without `/api/v1`. */
  baseUrl: string
  /** Calls the server without a socket; with `listen`, the global `fetch`. */
  fetch: typeof globalThis.fetch
  /** Turns the SDK's rate limit off, because forks share a key and would share its budget in real time. */
  rateLimit: false
}

/** A server, a mock receiver, and assertions on what they recorded. */
export interface FormwireKit extends Waits {
  readonly server: ReferenceServer
  /** Listens on loopback and responds with 200 unless it is scripted. */
  readonly receiver: MockReceiver
  /** Client options with the write key. */
  readonly clientOptions: ClientOptions
  /** Client options with the read-only key. */
  readonly readOnlyClientOptions: ClientOptions
  /** Adds an endpoint that delivers to the receiver. From then on, the receiver verifies its deliveries. */
  connectReceiver(formId: string): Promise<CreatedWebhookEndpoint>
  /**
   * Resets everything to the seed: forms, responses, endpoints, deliveries, rate limits, journal, faults, clock, and the
   * receiver's deliveries and script.
   */
  reset(): void
  /**
   * Returns an independent kit that starts from the current state, in constant time. Endpoints that deliver to this
   * kit's receiver deliver to the fork's receiver in the fork.
   */
  fork(): Promise<FormwireKit>
  /** Closes the server and the receiver. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const DEFAULT_RANDOM_SEED = 1
const DELIVERY_TIMEOUT_MS = 1000
/** A kit that a failed assertion left open must not keep the test runner from ending. */
const UNREF = { ref: false }

/** Its own first: what is misspelt is more likely one of them. */
export const START_OPTIONS = [
  ...namesOf<Omit<StartOptions, keyof ReferenceServerOptions>>({
    randomSeed: true,
    listen: true,
    receiver: true,
    pull: true,
  }),
  ...SERVER_OPTIONS,
]

/** @throws OptionError for an unknown option. */
export const refuseUnknownStartOptions = (options: StartOptions): void =>
  refuseUnknownOptions(options, START_OPTIONS, 'startFormwire')

/**
 * Starts a complete Formwire service for one test or one file. Instances share nothing. A kit keeps the process alive only
 * while something that you await is pending, such as `clock.advance`, a wait, or a delivery: close it in `t.after`,
 * `afterEach` or with `await using`, so that it is closed when an assertion fails, too.
 * @throws OptionError for an invalid option. SeedError for an invalid seed. FakeTimersError while `process.nextTick` is fake. With `pull`, the
 *   error of the SDK for a service that cannot be read.
 *
 * @example
 * ```ts
 * await using kit = await startFormwire({ seed })
 * const formwire = new Formwire(kit.clientOptions)
 * await kit.server.clock.advance('12h')
 * ```
 */
export async function startFormwire(options: StartOptions = {}): Promise<FormwireKit> {
  refuseUnknownStartOptions(options)
  await requireNextTick()
  const {
    randomSeed = DEFAULT_RANDOM_SEED,
    listen = false,
    receiver = {},
    limits = {},
    pull,
    ...rest
  } = options
  if (pull) rest.seed = await pulledSeed(pull, rest)
  const unspecified = options.unspecified ?? ((process.env.FORMWIRE_UNSPECIFIED ?? 'default') as 'default')
  const settings: ReferenceServerOptions = {
    clock: 'manual',
    deliveryTimeoutMs: DELIVERY_TIMEOUT_MS,
    ...(randomSeed === 'system' ? {} : { random: seededRandom(randomSeed) }),
    ...given(rest),
    limits: limits === 'off' ? limits : { ...NO_LIMITS_PER_MINUTE, ...given(limits) },
    unspecified,
  }
  const server = createServer(settings, undefined, new RunningTime())
  const context =
    typeof unspecified === 'string' && unspecified !== 'default' ? `Ran with unspecified: ${unspecified}` : ''
  return createKit(server, { listen, receiver, context })
}

async function pulledSeed(
  pull: PullFrom,
  { seed, snapshot }: ReferenceServerOptions,
): Promise<NonNullable<ReferenceServerOptions['seed']>> {
  if (seed !== undefined || snapshot !== undefined)
    throw new OptionError('pull cannot be combined with seed or snapshot; pass one of them.')
  const { pullFrom } = await import('../pull/pull-from.ts')
  return pullFrom(pull)
}

interface KitParts {
  readonly listen: boolean
  readonly receiver: MockReceiverOptions
  /** A line added to every failure message; empty for none. */
  readonly context: string
}

async function createKit(server: ReferenceServer, parts: KitParts): Promise<FormwireKit> {
  const receiver = await createMockReceiver({
    now: () => server.clock.now(),
    ...given(parts.receiver),
  }).listen(UNREF)
  try {
    await server.ready
    return await assemble(server, receiver, parts)
  } catch (error) {
    // The caller cannot close what was not returned.
    await Promise.all([server.close(), receiver.close()])
    throw error
  }
}

async function assemble(
  server: ReferenceServer,
  receiver: MockReceiver,
  parts: KitParts,
): Promise<FormwireKit> {
  const url = parts.listen ? (await server.listen({ port: 0, ...UNREF })).url : undefined
  const send: typeof fetch = url ? (...request) => globalThis.fetch(...request) : inProcessFetch(server)
  const checked: typeof fetch = async (...request) => {
    await requireMicrotasks()
    return send(...request)
  }
  const optionsOf = (apiKey: string): ClientOptions => ({
    apiKey,
    baseUrl: url ?? IN_PROCESS_URL,
    fetch: checked,
    rateLimit: false,
  })
  const secrets = [...receiver.secrets]
  const close = async (): Promise<void> => {
    await Promise.all([server.close(), receiver.close()])
  }
  return {
    server,
    receiver,
    clientOptions: optionsOf(server.writeKey),
    readOnlyClientOptions: optionsOf(server.readKey),
    ...createWaits(server, parts.context),
    async connectReceiver(formId) {
      const endpoint = await server.app.webhooks.create(formId, { url: receiver.url })
      receiver.secrets = [...receiver.secrets, endpoint.secret]
      return endpoint
    },
    reset() {
      server.app.reset()
      receiver.restart()
      receiver.secrets = [...secrets]
    },
    async fork() {
      const options = { ...given(parts.receiver), secret: [...receiver.secrets] }
      const clock: { now?: () => number } = {}
      const forkReceiver = await createMockReceiver({ now: () => clock.now?.() ?? 0, ...options }).listen(
        UNREF,
      )
      const forked = server.fork({
        endpointUrl: (address) =>
          address.startsWith(receiver.url) ? forkReceiver.url + address.slice(receiver.url.length) : address,
      })
      clock.now = () => forked.clock.now()
      return assemble(forked, forkReceiver, parts)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Returns a `fetch` that calls the server without a socket. Like the global one, it rejects when its signal aborts. */
function inProcessFetch(server: Pick<ReferenceServer, 'fetch'>): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const { signal } = request
    signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      const abort = (): void => reject(signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      server
        .fetch(request)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', abort))
    })
  }
}
