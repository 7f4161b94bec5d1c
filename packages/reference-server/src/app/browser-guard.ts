import { isIPv6 } from 'node:net'
import { ServiceError } from '../http/errors.ts'
import type { IncomingMessage } from '../http/message.ts'

/**
 * Keeps web pages of other sites out of the control side: a page cannot fake `Origin`, and a name that was rebound to
 * loopback shows up in `Host`. Throws 403. In process there may be no `Host`, and then nothing to judge.
 */
export function refuseForeignPages(request: IncomingMessage, allowedHosts: ReadonlySet<string>): void {
  const host = request.headers.get('host')
  if (host !== undefined && !isAllowedHost(hostName(host), allowedHosts)) {
    throw new ServiceError(
      'forbidden',
      'This Host is not one of the control side. Start the server with --allowed-host NAME to allow it.',
    )
  }
  const origin = request.headers.get('origin')
  if (origin !== undefined && origin.toLowerCase() !== request.origin.toLowerCase()) throw foreignPage()
  const site = request.headers.get('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw foreignPage()
}

const foreignPage = (): ServiceError =>
  new ServiceError('forbidden', 'The control side answers no page of another origin.')

/** `name:port` of a `Host` header without the port; the brackets of an IPv6 address stay. */
function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
}

/** A name or address as people write it, the way `hostName` gives it: IPv6 in brackets, no port. */
export function asHostName(name: string): string {
  // The colon first: making up its mind about a name costs Node 4 ms once, in an expression that is compiled then.
  return name.includes(':') && isIPv6(name) ? `[${name.toLowerCase()}]` : hostName(name)
}

/** Whether a host, as `asHostName` gives it, is this machine alone. */
export function isLoopbackHost(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name)
}

const isAllowedHost = (name: string, allowedHosts: ReadonlySet<string>): boolean =>
  isLoopbackHost(name) || allowedHosts.has(name)
