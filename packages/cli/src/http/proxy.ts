import { isPlainHttpHost } from '@formwire/internal/loopback'
import { urlOf } from '@formwire/internal/url'
import type { Transport } from '@formwire/sdk'
import type { Dispatcher } from 'undici'
import { usage } from '../failure.ts'
import type { Runtime } from '../runtime.ts'

type Environment = Runtime['env']

/**
 * Returns the proxy for a URL: HTTPS_PROXY or HTTP_PROXY, unless NO_PROXY names the host, with the meaning that undici gives them. Never
 * one for a loopback address or a name below localhost. @throws Failure exit 2 if it is not an http or https URL
 */
export function proxyOf(url: string, env: Environment): URL | undefined {
  const { protocol, hostname, port } = new URL(url)
  const name = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']
    .slice(protocol === 'https:' ? 0 : 2)
    .find((one) => env[one])
  if (name === undefined || isPlainHttpHost(hostname)) return undefined
  const ownPort = port || (protocol === 'https:' ? '443' : '80')
  const excluded = (env.no_proxy ?? env.NO_PROXY ?? '').toLowerCase().split(/[,\s]+/)
  const isExcluded = excluded.some((entry) => {
    const [, host = '', onlyPort = ownPort] = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(entry) ?? []
    if (host === '*') return true
    return onlyPort === ownPort && host !== '' && `.${hostname}`.endsWith(`.${host}`)
  })
  if (isExcluded) return undefined
  const text = env[name] as string
  const proxy = urlOf(text.includes('://') ? text : `http://${text}`)
  // The value is omitted because it may contain a password.
  if (!proxy || !/^https?:$/.test(proxy.protocol))
    throw usage(`${name} must be an http or https URL`, 'for example http://proxy.example.com:3128')
  return proxy
}

/** Names a URL and the proxy through which it is reached, without the password of the proxy. */
export const throughProxy = (url: string, proxy: URL | undefined): string =>
  proxy ? `${url} (through the proxy ${proxy.origin})` : url

const dispatchers = new Map<string, Promise<Dispatcher>>()

/** Returns what sends requests to the service through the proxy, with connections of its own. Loads undici. */
export async function dispatcherOf({ href }: URL): Promise<Dispatcher> {
  const dispatcher =
    dispatchers.get(href) ??
    import('undici').then(
      ({ EnvHttpProxyAgent }) => new EnvHttpProxyAgent({ httpProxy: href, httpsProxy: href, noProxy: '' }),
    )
  dispatchers.set(href, dispatcher)
  return await dispatcher
}

/** Returns a transport of the SDK that uses the proxy. */
export function proxyTransport(proxy: URL): Transport {
  const loading = Promise.all([import('@formwire/sdk/undici'), dispatcherOf(proxy)]).then(
    ([{ undiciTransport }, dispatcher]) => undiciTransport({ dispatcher }),
  )
  loading.catch(() => undefined)
  return async (request) => (await loading)(request)
}

/** Returns the `fetch` for a URL, for the conformance cases: that of undici if there is a proxy. */
export async function serviceFetch(url: string, env: Environment): Promise<typeof fetch> {
  const proxy = proxyOf(url, env)
  if (!proxy) return fetch
  const [undici, dispatcher] = await Promise.all([import('undici'), dispatcherOf(proxy)])
  // The types of Node.js are those of another version of undici.
  const send = undici.fetch as unknown as typeof fetch
  return (input, init) => send(input, { ...init, dispatcher } as RequestInit)
}
