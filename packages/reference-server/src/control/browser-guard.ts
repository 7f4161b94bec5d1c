import { isIPv6 } from 'node:net'
import { isLoopbackHost } from '@formwire/internal/loopback'
import { ServiceError } from '../domain/service-error.ts'
import type { IncomingMessage } from '../http/message.ts'

/**
 * Refuses requests that web pages of other sites send to the control API. A page cannot forge `Origin`, and a DNS name
 * that was rebound to loopback is visible in `Host`. Throws 403. A request without `Host`, in process, passes that check.
 */
export function refuseForeignPages(request: IncomingMessage, allowedHosts: ReadonlySet<string>): void {
  const host = request.headers.get('host')
  const name = host === undefined ? 'localhost' : hostName(host)
  if (!isLoopbackHost(name) && !allowedHosts.has(name)) {
    throw new ServiceError(
      'forbidden',
      'This Host is not allowed for /_app; to allow it, start the server with --allowed-host NAME.',
    )
  }
  const origin = request.headers.get('origin')
  const isOfOtherOrigin = origin !== undefined && origin.toLowerCase() !== request.origin.toLowerCase()
  const site = request.headers.get('sec-fetch-site') ?? 'none'
  if (isOfOtherOrigin || (site !== 'same-origin' && site !== 'none'))
    throw new ServiceError('forbidden', 'Cross-origin requests to /_app are not allowed.')
}

/** Removes the port from a `Host` header. IPv6 addresses keep their brackets. */
function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
}

/** Normalizes a name or address to the format of `hostName`: IPv6 in brackets, no port. */
export function asHostName(name: string): string {
  // The first call of `isIPv6` is slow, so names without a colon skip it.
  return name.includes(':') && isIPv6(name) ? `[${name.toLowerCase()}]` : hostName(name)
}
