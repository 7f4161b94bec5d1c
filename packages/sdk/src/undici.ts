/** A transport on undici: connection pools, proxies, dispatchers of your own. Needs the `undici` package. */
import { Agent, type Dispatcher, ProxyAgent } from 'undici'
import { decodeBody } from './http/content-encoding.ts'
import { recordHeaders } from './http/record-headers.ts'
import type { Transport } from './http/transport.ts'

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
  return async ({ url, method, headers, body, signal }) => {
    const { origin, pathname, search } = new URL(url)
    const answer = await dispatcher.request({
      origin,
      path: pathname + search,
      method: method as Dispatcher.HttpMethod,
      headers: { 'accept-encoding': 'gzip', ...headers },
      body: body ?? null,
      signal,
    })
    const answerHeaders = recordHeaders(answer.headers)
    const encoding = answerHeaders.get('content-encoding')
    const text = encoding
      ? await decodeBody(Buffer.from(await answer.body.arrayBuffer()), encoding)
      : await answer.body.text()
    return { status: answer.statusCode, headers: answerHeaders, body: text }
  }
}

function createDispatcher({ connections, proxy }: UndiciTransportOptions): Dispatcher {
  const pool = connections === undefined ? {} : { connections }
  return proxy === undefined ? new Agent(pool) : new ProxyAgent({ uri: proxy, ...pool })
}
