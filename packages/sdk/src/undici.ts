/** A transport on undici: connection pools, proxies, dispatchers of your own. Needs the `undici` package. */
import { Agent, type Dispatcher, ProxyAgent } from 'undici'
import { decodeBody } from './http/content-encoding.ts'
import { recordHeaders } from './http/record-headers.ts'
import type { Transport, TransportRequest } from './http/transport.ts'

/** Options of {@link undiciTransport}. */
export interface UndiciTransportOptions {
  /** Connections to the service at once. @default no limit */
  connections?: number | undefined
  /** URL of an HTTP proxy. @default none */
  proxy?: string | undefined
  /** A dispatcher of your own, such as a `MockAgent`; then `connections` and `proxy` are its matter. */
  dispatcher?: Dispatcher | undefined
}

/** Sends with undici's dispatcher interface, the fastest client there is for Node. */
export function undiciTransport(options: UndiciTransportOptions = {}): Transport {
  const dispatcher = options.dispatcher ?? createDispatcher(options)
  return async (request) => {
    const { url, method, headers, body } = request
    const pathAt = url.indexOf('/', url.indexOf('://') + 3)
    const answer = await dispatcher.request({
      origin: url.slice(0, pathAt),
      path: url.slice(pathAt),
      method: method as Dispatcher.HttpMethod,
      headers: headers['accept-encoding'] === undefined ? { ...headers, 'accept-encoding': 'gzip' } : headers,
      body: body ?? null,
      signal: new AbortEvents(request) as unknown as AbortSignal,
    })
    const answerHeaders = recordHeaders(answer.headers)
    const encoding = answerHeaders.get('content-encoding')
    const text = encoding
      ? await decodeBody(Buffer.from(await answer.body.arrayBuffer()), encoding)
      : await answer.body.text()
    return { status: answer.statusCode, headers: answerHeaders, body: text }
  }
}

/** undici also takes an emitter of one event in place of a signal, and that one costs next to nothing. */
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

  /** The request ends with its attempt, and takes its listeners along. */
  removeListener(): this {
    return this
  }
}

function createDispatcher({ connections, proxy }: UndiciTransportOptions): Dispatcher {
  const pool = connections === undefined ? {} : { connections }
  return proxy === undefined ? new Agent(pool) : new ProxyAgent({ uri: proxy, ...pool })
}
