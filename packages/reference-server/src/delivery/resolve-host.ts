import { wakeAfter } from '../real-timers.ts'
import { AttemptFailure } from './attempt-failure.ts'

/** Returns every IP address of a host name. Rejects, or returns none, for a name that does not resolve. */
export type ResolveHost = (host: string) => Promise<readonly string[]>

const notResolved = (host: string, cause?: unknown): AttemptFailure =>
  new AttemptFailure('dns', `${host} does not resolve.`, cause)

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

/** Returns all addresses of a host. @throws AttemptFailure `dns` when it has none or the lookup fails. */
export async function resolveAll(resolve: ResolveHost, host: string): Promise<readonly string[]> {
  let addresses: readonly string[]
  try {
    addresses = await resolve(host)
  } catch (cause) {
    throw notResolved(host, cause)
  }
  // A custom resolver may return anything.
  const usable = Array.isArray(addresses) && addresses.every((address) => typeof address === 'string')
  if (!usable || addresses.length === 0) throw notResolved(host)
  return addresses
}
