import { wakeAfter } from '../real-timers.ts'

/** Returns every IP address of a host name. Rejects, or returns none, for a name that does not resolve. */
export type ResolveHost = (host: string) => Promise<readonly string[]>

/** A host name that does not resolve. */
export class HostNotResolvedError extends Error {
  override readonly name = 'HostNotResolvedError'
  readonly host: string

  constructor(host: string, cause?: unknown) {
    super(`${host} does not resolve.`, { cause })
    this.host = host
  }
}

/** Limits the time of a lookup, for name servers that do not respond. */
export function withTimeout(resolve: ResolveHost, timeoutMs: number): ResolveHost {
  return (host) =>
    new Promise((settle, reject) => {
      const cancel = wakeAfter(timeoutMs, () =>
        reject(new Error(`The lookup of ${host} timed out after ${timeoutMs} ms.`)),
      )
      resolve(host).then(settle, reject).finally(cancel)
    })
}

/** The operating system's resolver, which includes the hosts file. */
export const systemResolveHost: ResolveHost = async (host) => {
  const { lookup } = await import('node:dns/promises')
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => address)
}

/** Returns all addresses of a host. @throws HostNotResolvedError when it has none or the lookup fails. */
export async function resolveAll(resolve: ResolveHost, host: string): Promise<readonly string[]> {
  let addresses: readonly string[]
  try {
    addresses = await resolve(host)
  } catch (cause) {
    throw new HostNotResolvedError(host, cause)
  }
  // A custom resolver may return anything.
  const usable = Array.isArray(addresses) && addresses.every((address) => typeof address === 'string')
  if (!usable || addresses.length === 0) throw new HostNotResolvedError(host)
  return addresses
}
