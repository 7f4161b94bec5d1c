/** Transport based on undici, with connection pools, proxies and custom dispatchers. Requires the `undici` package. */
import { Agent, type Dispatcher, ProxyAgent } from 'undici'
import { checkNames } from './check-arguments.ts'
import { readBody } from './http/read-body.ts'
import { recordHeaders } from './http/record-headers.ts'
import { checkedText, isAtMost, type Transport, type TransportRequest } from './http/transport.ts'

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
 * @throws UsageError if an option name is unknown.
 */
export function undiciTransport(options: UndiciTransportOptions = {}): Transport {
  checkNames('undiciTransport()', options, ['connections', 'proxy', 'dispatcher'])
  const dispatcher = options.dispatcher ?? createDispatcher(options)
  return async (request) => {
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
    const responseHeaders = recordHeaders(response.headers)
    const encoding = responseHeaders.get('content-encoding')
    // `body.text()` is the fastest but has no limit. undici enforces Content-Length, so a small one is safe; a custom
    // dispatcher may not.
    const isSmall = !encoding && isAtMost(responseHeaders.get('content-length'), maxResponseBytes)
    const text = isSmall
      ? checkedText(await response.body.text(), maxResponseBytes)
      : await readBody(response.body, encoding, maxResponseBytes)
    return { status: response.statusCode, headers: responseHeaders, body: text }
  }
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

  /** Nothing to remove: the listeners are discarded together with the attempt. */
  removeListener(): this {
    return this
  }
}

function createDispatcher({ connections, proxy }: UndiciTransportOptions): Dispatcher {
  const pool = connections === undefined ? {} : { connections }
  return proxy === undefined ? new Agent(pool) : new ProxyAgent({ uri: proxy, ...pool })
}
