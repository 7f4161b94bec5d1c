/**
 * Transport based on undici, with connection pools, proxies and custom dispatchers. Requires the `undici` package, 7 or newer,
 * which is loaded with the first request.
 */
import { urlOf } from '@formwire/internal/url'
import type { Dispatcher } from 'undici'
import { checkMethods, checkNames } from './check-arguments.ts'
import { UsageError } from './errors/client-errors.ts'
import { RecordHeaders } from './http/headers.ts'
import { readBody } from './http/read-body.ts'
import { checkedText, complete, isAtMost, type Transport, type TransportRequest } from './http/transport.ts'

const { queueMicrotask, setTimeout } = globalThis

/** Options of {@link undiciTransport}. */
export interface UndiciTransportOptions {
  /** Maximum number of concurrent connections to the service. @default no limit */
  connections?: number | undefined
  /** URL of an HTTP proxy. @default none */
  proxy?: string | undefined
  /** Custom dispatcher, such as a `MockAgent`. `connections` and `proxy` are then ignored. @default a new Agent or ProxyAgent */
  dispatcher?: Dispatcher | undefined
}

/**
 * Returns a transport that sends requests with undici's dispatcher API, the fastest transport on Node.
 *
 * @example new Formwire({ apiKey, baseUrl, transport: undiciTransport({ connections: 10 }) })
 * @throws UsageError if an option is unknown or invalid. The first request throws it if undici is not installed, or too old.
 */
export function undiciTransport(options: UndiciTransportOptions = {}): Transport {
  checkNames('undiciTransport()', options, ['connections', 'proxy', 'dispatcher'])
  checkOptions(options)
  let { dispatcher } = options
  let loading: Promise<Dispatcher> | undefined
  const send: Transport = async (request) => {
    if (!dispatcher) {
      loading ??= createDispatcher(options)
      dispatcher = await loading
    }
    const { url, method, headers, body, maxResponseBytes } = request
    const pathAt = url.indexOf('/', url.indexOf('://') + 3)
    const response = await dispatcher.request({
      origin: url.slice(0, pathAt),
      path: url.slice(pathAt),
      method: method as Dispatcher.HttpMethod,
      headers: headers['accept-encoding'] === undefined ? { ...headers, 'accept-encoding': 'gzip' } : headers,
      body: body ?? null,
      signal: new AbortEvents(request) as unknown as AbortSignal,
    })
    const responseHeaders = new RecordHeaders(response.headers)
    const encoding = responseHeaders.get('content-encoding')
    // `body.text()` is the fastest but has no limit. undici enforces Content-Length, so a small one is safe; a custom
    // dispatcher may not.
    return complete(response.statusCode, responseHeaders, maxResponseBytes, async (limit) =>
      !encoding && isAtMost(responseHeaders.get('content-length'), limit)
        ? checkedText(await response.body.text(), limit)
        : readBody(response.body, encoding, limit),
    )
  }
  return async (request) => {
    await requireMicrotasks()
    return send(request)
  }
}

/** @throws UsageError if a test has replaced `queueMicrotask` by one that runs nothing: undici would report no body and no error. */
async function requireMicrotasks(): Promise<void> {
  if (globalThis.queueMicrotask === queueMicrotask) return
  let runs = false
  globalThis.queueMicrotask(() => {
    runs = true
  })
  await new Promise((resolve) => setTimeout(resolve))
  if (!runs) throw new UsageError('Fake timers have replaced queueMicrotask; leave it real.')
}

/** undici accepts an event emitter in place of a signal, which is much cheaper to create. */
class AbortEvents {
  readonly #request: TransportRequest

  constructor(request: TransportRequest) {
    this.#request = request
  }

  on(_event: 'abort', listener: () => void): this {
    this.#request.onAbort(listener)
    return this
  }

  once(event: 'abort', listener: () => void): this {
    return this.on(event, listener)
  }

  /** Called by undici 6 and older instead of `once`, before anything is sent. */
  addListener(): never {
    throw new UsageError(
      `"dispatcher" is of undici 6 or older, and undiciTransport() requires undici 7 or newer; ${HELP}`,
    )
  }

  /** Nothing to remove: the listeners are discarded together with the attempt. */
  removeListener(): this {
    return this
  }
}

/** @throws UsageError before undici is loaded, so that an invalid option is found without a request. */
function checkOptions({ connections, proxy, dispatcher }: UndiciTransportOptions): void {
  if (connections !== undefined && !(Number.isInteger(connections) && connections > 0)) {
    throw new UsageError(`"connections" must be an integer from 1, got ${connections}.`)
  }
  // The value is omitted because it may carry a password.
  if (proxy !== undefined && !(/^https?:/i.test(proxy) && urlOf(proxy) !== undefined)) {
    throw new UsageError('"proxy" must be an absolute http or https URL.')
  }
  if (dispatcher !== undefined) checkMethods('dispatcher', dispatcher, ['request'], 'an undici Dispatcher')
}

async function createDispatcher({ connections, proxy }: UndiciTransportOptions): Promise<Dispatcher> {
  const { Agent, ProxyAgent } = await loadUndici()
  const pool = connections === undefined ? {} : { connections }
  return proxy === undefined ? new Agent(pool) : new ProxyAgent({ uri: proxy, ...pool })
}

type Undici = typeof import('undici')

async function loadUndici(): Promise<Undici> {
  // By its file, because Bun replaces the module `undici` with one of its own.
  const loaded = await import('undici/index.js').catch((cause: unknown) => {
    throw new UsageError(
      `undiciTransport() requires undici, which could not be loaded; ${HELP}`,
      {},
      { cause },
    )
  })
  // Bundlers put what a CommonJS package exports into `default` only.
  const undici: Undici = 'Agent' in loaded ? loaded : (loaded as { default: Undici }).default
  // Undici 6 and older have no `cacheStores`.
  if (!('cacheStores' in undici)) {
    throw new UsageError(
      `undiciTransport() requires undici 7 or newer, and an older version is installed; ${HELP}`,
    )
  }
  return undici
}

const HELP = 'install it with "npm install undici@7" (undici 8 requires Node 22).'
