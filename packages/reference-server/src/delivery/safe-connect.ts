import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { judgeAddresses, type WebhookTarget } from '../policy/address-rules.ts'
import { bareHost } from '../policy/url-parts.ts'
import { resolveAll } from './resolve-host.ts'
import { AddressRefusedError, type AddressSettings, requireAllowed } from './vet-target.ts'

/** A TLS handshake that failed: a certificate that does not hold, or a peer that does not speak TLS. */
export class TlsHandshakeError extends Error {
  override readonly name = 'TlsHandshakeError'
}

/** No connection within the deadline. */
export class ConnectTimeoutError extends Error {
  override readonly name = 'ConnectTimeoutError'
}

/**
 * Connects for undici, and judges the address that is really connected to, each time (HOOK-05): a literal before
 * anything else, since Node looks no literal up, and every answer for a name in the very lookup that the connection
 * uses, so that no later answer can differ from the one that was judged.
 */
export function safeConnector(settings: AddressSettings, timeoutMs: number): buildConnector.connector {
  return (options, callback) => {
    const secure = options.protocol === 'https:'
    const host = bareHost(options.hostname)
    const port = Number(options.port) || (secure ? 443 : 80)
    const route = settings.routes.get(host)
    const place = route ?? { secure, host, port }
    const lookup = route ? undefined : vettingLookup(settings, port)
    if (!route && isIP(host) !== 0) {
      const refusal = judgeAddresses(targetOf(host, port, true), [host], settings.rules)
      if (refusal) {
        queueMicrotask(() => callback(new AddressRefusedError(refusal), null))
        return
      }
    }
    open({ ...place, lookup, servername: isIP(host) === 0 ? host : undefined, timeoutMs }, callback)
  }
}

interface Place {
  readonly secure: boolean
  readonly host: string
  readonly port: number
  readonly lookup: LookupFunction | undefined
  readonly servername: string | undefined
  readonly timeoutMs: number
}

function open(place: Place, callback: buildConnector.Callback): void {
  const { host, port, secure, servername, timeoutMs } = place
  const common = { host, port, noDelay: true, keepAlive: true, ...(place.lookup && { lookup: place.lookup }) }
  const socket: Socket = secure
    ? // Loaded for the first https receiver, not at every start.
      process
        .getBuiltinModule('node:tls')
        .connect({ ...common, ALPNProtocols: ['http/1.1'], ...(servername && { servername }) })
    : connectTcp(common)
  let reached = false
  let settled = false
  const timer = setTimeout(
    () => socket.destroy(new ConnectTimeoutError(`No connection within ${timeoutMs} ms.`)),
    timeoutMs,
  )
  const settle = (error: Error | null): void => {
    clearTimeout(timer)
    if (settled) return
    settled = true
    if (error) callback(secure && reached ? handshakeError(error) : error, null)
    else callback(null, socket)
  }
  socket.once('connect', () => {
    reached = true
  })
  socket.once(secure ? 'secureConnect' : 'connect', () => settle(null))
  socket.on('error', settle)
}

/** What failed after the peer was reached is the handshake, unless the peer hung up or never answered. */
function handshakeError(error: Error): Error {
  const { code } = error as NodeJS.ErrnoException
  if (error instanceof ConnectTimeoutError || code === 'ECONNRESET' || code === 'EPIPE') return error
  return new TlsHandshakeError(error.message, { cause: error })
}

/** A lookup for `net.connect` that fails unless every answer is allowed. */
function vettingLookup({ rules, resolve }: AddressSettings, port: number): LookupFunction {
  return (name, options, callback) => {
    const host = bareHost(name)
    resolveAll(resolve, host)
      .then((addresses) => {
        requireAllowed(judgeAddresses(targetOf(host, port, false), addresses, rules) ?? {})
        return addresses.map((address) => ({ address, family: isIP(address) }))
      })
      .then(
        (answers) => {
          const [first] = answers as [{ address: string; family: number }, ...unknown[]]
          if (options.all) callback(null, answers)
          else callback(null, first.address, first.family)
        },
        (error: Error) => callback(error, '', 0),
      )
  }
}

const targetOf = (host: string, port: number, literal: boolean): WebhookTarget => ({
  url: new URL(`https://${literal && host.includes(':') ? `[${host}]` : host}`),
  host,
  port,
  literal,
})
