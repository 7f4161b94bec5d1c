import type { CreatedWebhookEndpoint } from '@formwire/contract'
import { IN_PROCESS_URL, type ReferenceServerOptions } from '../options.ts'
import { seededRandom } from '../random.ts'
import { createMockReceiver, type MockReceiver, type MockReceiverOptions } from '../receiver/index.ts'
import { createReferenceServer, type ReferenceServer } from '../server.ts'
import { inProcessFetch } from './in-process-fetch.ts'
import { warnOfLimit } from './limit-warning.ts'
import { createWaits, type Waits } from './waits.ts'

/** How a test kit differs from a reference server: a manual clock, and ids that are the same every time. */
export interface StartOptions extends ReferenceServerOptions {
  /** `manual` stands still until it is advanced. @default 'manual' */
  clock?: NonNullable<ReferenceServerOptions['clock']>
  /** Number that ids, keys and secrets are made from; `'system'` makes them up anew. @default 1 */
  randomSeed?: number | 'system'
  /** Opens a free port on loopback, for clients that cannot be given a `fetch`. @default false */
  listen?: boolean
  /** Options of the mock receiver. @default {} */
  receiver?: MockReceiverOptions
  /** @default the environment's FORMWIRE_UNSPECIFIED, else 'default' */
  unspecified?: NonNullable<ReferenceServerOptions['unspecified']>
}

/** What `new Formwire(clientOptions)` takes, or any other client. */
export interface ClientOptions {
  apiKey: string
  /** Root of the service, without `/api/v1`. */
  baseUrl: string
  /** The server without a socket in between; with `listen`, the global `fetch`. */
  fetch: typeof globalThis.fetch
  /**
   * The SDK's own budget is off: forks share their key, and with it one budget in real time. The server's limit stands;
   * `limits: 'off'` lifts that too.
   */
  rateLimit: false
}

/** A server, a receiver, and what a test needs around them. */
export interface FormwireKit extends Waits {
  readonly server: ReferenceServer
  /** Listens on loopback and answers 200 until told otherwise. */
  readonly receiver: MockReceiver
  /** With the write key. */
  readonly clientOptions: ClientOptions
  /** The same with the read-only key. */
  readonly readOnlyClientOptions: ClientOptions
  /** Adds an endpoint at the receiver, which verifies the deliveries of it from then on. */
  connectReceiver(formId: string): Promise<CreatedWebhookEndpoint>
  /**
   * Back to the seed, all of it: forms, responses, endpoints, deliveries, limits, journal, faults, clock, what the
   * receiver received, and its script.
   */
  reset(): void
  /**
   * A kit of its own that starts from this one's state, without copying it. Endpoints at this kit's receiver are at the
   * fork's in the fork.
   */
  fork(): Promise<FormwireKit>
  /** Ends the server and the receiver. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const DEFAULT_RANDOM_SEED = 1

/**
 * A whole service for one test or one file: `const { server, receiver, clientOptions } = await startFormwire()`.
 * Instances share nothing. @throws OptionError for an option that cannot be used; SeedError for a seed that cannot.
 */
export async function startFormwire(options: StartOptions = {}): Promise<FormwireKit> {
  const { randomSeed = DEFAULT_RANDOM_SEED, listen = false, receiver = {}, ...rest } = options
  const unspecified = options.unspecified ?? fromEnvironment()
  const server = createReferenceServer({
    clock: 'manual',
    ...(randomSeed === 'system' ? {} : { random: seededRandom(randomSeed) }),
    ...rest,
    unspecified,
  })
  const context =
    typeof unspecified === 'string' && unspecified !== 'default' ? `Ran with unspecified: ${unspecified}` : ''
  return createKit(server, { listen, receiver, context })
}

interface KitParts {
  readonly listen: boolean
  readonly receiver: MockReceiverOptions
  /** A line for every message of a wait. */
  readonly context: string
}

async function createKit(server: ReferenceServer, parts: KitParts): Promise<FormwireKit> {
  const receiver = await createMockReceiver({ now: () => server.clock.now(), ...parts.receiver }).listen()
  try {
    await server.ready
    return await assemble(server, receiver, parts)
  } catch (error) {
    // Nobody gets to close what is not returned.
    await Promise.all([server.close(), receiver.close()])
    throw error
  }
}

async function assemble(
  server: ReferenceServer,
  receiver: MockReceiver,
  parts: KitParts,
): Promise<FormwireKit> {
  const url = parts.listen ? (await server.listen({ port: 0 })).url : undefined
  const fetch = warnOfLimit(
    url ? (...request) => globalThis.fetch(...request) : inProcessFetch(server),
    server.clock,
  )
  const optionsOf = (apiKey: string): ClientOptions => ({
    apiKey,
    baseUrl: url ?? IN_PROCESS_URL,
    fetch,
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
      const options = { ...parts.receiver, secret: [...receiver.secrets] }
      const clock: { now?: () => number } = {}
      const forkReceiver = await createMockReceiver({ now: () => clock.now?.() ?? 0, ...options }).listen()
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

const fromEnvironment = (): NonNullable<StartOptions['unspecified']> =>
  (process.env.FORMWIRE_UNSPECIFIED ?? 'default') as 'default'
