/** Gives every address of a host name. Rejects, or gives none, when there is none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>

/** A host name that no address could be had for. */
export class HostNotResolvedError extends Error {
  override readonly name = 'HostNotResolvedError'
  readonly host: string

  constructor(host: string, cause?: unknown) {
    super(`${host} does not resolve.`, { cause })
    this.host = host
  }
}

/** A resolver that gives up after a while: a name server that does not answer holds up nobody for longer. */
export function withTimeout(resolve: ResolveHost, timeoutMs: number): ResolveHost {
  return (host) =>
    new Promise((settle, reject) => {
      const timer = setTimeout(() => reject(new Error(`No answer within ${timeoutMs} ms.`)), timeoutMs)
      resolve(host)
        .then(settle, reject)
        .finally(() => clearTimeout(timer))
    })
}

/** The operating system's resolver, hosts file included: what a connection would use. */
export const systemResolveHost: ResolveHost = async (host) => {
  const { lookup } = await import('node:dns/promises')
  const answers = await lookup(host, { all: true, verbatim: true })
  return answers.map((answer) => answer.address)
}

/** All addresses of a host. @throws HostNotResolvedError when there is none, whatever went wrong. */
export async function resolveAll(resolve: ResolveHost, host: string): Promise<readonly string[]> {
  let addresses: readonly string[]
  try {
    addresses = await resolve(host)
  } catch (cause) {
    throw new HostNotResolvedError(host, cause)
  }
  // A resolver of the user's own may give anything.
  const usable = Array.isArray(addresses) && addresses.every((address) => typeof address === 'string')
  if (!usable || addresses.length === 0) throw new HostNotResolvedError(host)
  return addresses
}
