import dns from 'node:dns'
import dnsPromises from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
import { isIP, type LookupFunction, Socket, type TcpSocketConnectOpts } from 'node:net'

/**
 * Makes Node connect only to this machine. A connection to another address throws before a packet is sent. Names other than
 * `localhost` do not resolve, and no query is sent. A module of its own, since test files that share modules load it once.
 */
export const refusedConnections: string[] = []

const isLoopback = (address: string): boolean =>
  address.startsWith('127.') || address === '::1' || address === '::ffff:127.0.0.1'

function requireLoopback(address: string): void {
  if (isLoopback(address)) return
  refusedConnections.push(address)
  throw new Error(`Tests may connect only to this machine, not to ${address}.`)
}

const notFound = (name: string): Error =>
  Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND', hostname: name })

const isLocalName = (name: string): boolean => name === 'localhost' || name === '' || isIP(name) !== 0

const { lookup } = dns
dns.lookup = ((name: string, ...rest: [LookupOptions, LookupCallback] | [LookupCallback]) => {
  if (isLocalName(name)) return Reflect.apply(lookup, dns, [name, ...rest])
  const callback = rest.at(-1) as LookupCallback
  process.nextTick(() => callback(notFound(name) as NodeJS.ErrnoException, '', 0))
}) as typeof dns.lookup

const { lookup: lookupLater } = dnsPromises
dnsPromises.lookup = (async (name: string, options: LookupOptions) => {
  if (!isLocalName(name)) throw notFound(name)
  return lookupLater(name, options)
}) as typeof dnsPromises.lookup
syncBuiltinESMExports()

type LookupOptions = Parameters<LookupFunction>[1]
type LookupCallback = Parameters<LookupFunction>[2]

/** Checks the addresses that a custom lookup returns, because the connection goes there. */
const checkedLookup =
  (original: LookupFunction): LookupFunction =>
  (name, options, callback) =>
    original(name, options, (error, address, family) => {
      if (!error) {
        const all = Array.isArray(address) ? address.map((one) => one.address) : [address as string]
        try {
          for (const one of all) requireLoopback(one)
        } catch (refusal) {
          callback(refusal as Error, '', 0)
          return
        }
      }
      callback(error, address, family)
    })

const { connect } = Socket.prototype
Socket.prototype.connect = function (this: Socket, ...args: unknown[]): Socket {
  // net.connect passes its arguments as one normalized array.
  const normalized = Array.isArray(args[0]) ? (args[0] as unknown[]) : args
  const [first, second] = normalized
  if (typeof first === 'number') requireHost(typeof second === 'string' ? second : 'localhost')
  else if (typeof first === 'object' && first !== null && !('path' in first && first.path)) {
    const options = first as TcpSocketConnectOpts
    requireHost(options.host ?? 'localhost')
    if (options.lookup) options.lookup = checkedLookup(options.lookup)
  }
  return Reflect.apply(connect, this, args) as Socket
} as typeof connect

const requireHost = (host: string): void => {
  if (isIP(host) !== 0) requireLoopback(host)
}
