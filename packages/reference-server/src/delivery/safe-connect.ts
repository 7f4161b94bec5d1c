import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { checkAddresses } from '../policy/address-rules.ts'
import { bareHost } from '../policy/url-parts.ts'
import { elapsedTime, queueMicrotask, type TimeSource } from '../real-timers.ts'
import { AttemptFailure } from './attempt-failure.ts'
import { resolveAll } from './resolve-host.ts'
import { type AddressSettings, requireAllowed } from './webhook-target.ts'

/**
 * Connects for undici and checks the address of each actual connection (HOOK-05): a literal IP address up front, since
 * Node does not look it up, and all addresses of a name in the lookup that the connection uses, so that a second lookup
 * cannot return others.
 *
 * @param time Times the deadline. @default real time
 */
export function safeConnector(
  settings: AddressSettings,
  timeoutMs: number,
  time: TimeSource = elapsedTime,
): buildConnector.connector {
  return (options, callback) => {
    const secure = options.protocol === 'https:'
    const host = bareHost(options.hostname)
    const port = Number(options.port) || (secure ? 443 : 80)
    const override = settings.hostOverrides.get(host)
    const target = override ?? { secure, host, port }
    const lookup = override ? undefined : checkedLookup(settings, port)
    if (!override && isIP(host) !== 0) {
      const checked = checkAddresses({ host, port, literal: true }, [host], settings.rules)
      if (!checked.ok) {
        queueMicrotask(() => callback(new AttemptFailure('address_refused', checked.refusal.message), null))
        return
      }
    }
    open({ ...target, lookup, servername: isIP(host) === 0 ? host : undefined, timeoutMs, time }, callback)
  }
}

interface ConnectOptions {
  readonly secure: boolean
  readonly host: string
  readonly port: number
  readonly lookup: LookupFunction | undefined
  readonly servername: string | undefined
  readonly timeoutMs: number
  readonly time: TimeSource
}

function open(target: ConnectOptions, callback: buildConnector.Callback): void {
  const { host, port, secure, servername, timeoutMs, time } = target
  const common = {
    host,
    port,
    noDelay: true,
    keepAlive: true,
    ...(target.lookup && { lookup: target.lookup }),
  }
  const socket: Socket = secure
    ? // Loaded for the first https receiver, so that a server starts faster.
      process
        .getBuiltinModule('node:tls')
        .connect({ ...common, ALPNProtocols: ['http/1.1'], ...(servername && { servername }) })
    : connectTcp(common)
  let reached = false
  let settled = false
  const cancel = time.wakeAfter(timeoutMs, () =>
    socket.destroy(new AttemptFailure('timeout', `No connection within ${timeoutMs} ms.`)),
  )
  const settle = (error: Error | null): void => {
    cancel()
    if (settled) return
    settled = true
    // Without TLS, nothing can fail between the connection and its use.
    if (error) callback(reached ? handshakeError(error) : error, null)
    else callback(null, socket)
  }
  socket.once('connect', () => {
    reached = true
  })
  socket.once(secure ? 'secureConnect' : 'connect', () => settle(null))
  socket.on('error', settle)
}

/** After the connection, an error is one of the handshake, unless the peer closed the connection or did not respond. */
function handshakeError(error: Error): Error {
  const { code } = error as NodeJS.ErrnoException
  if (error instanceof AttemptFailure || code === 'ECONNRESET' || code === 'EPIPE') return error
  return new AttemptFailure('tls', error.message, error)
}

/** Returns a lookup for `net.connect` that fails unless every address is allowed. */
function checkedLookup({ rules, resolve }: AddressSettings, port: number): LookupFunction {
  return (name, options, callback) => {
    const host = bareHost(name)
    resolveAll(resolve, host)
      .then((addresses) => {
        requireAllowed(checkAddresses({ host, port, literal: false }, addresses, rules))
        return addresses.map((address) => ({ address, family: isIP(address) }))
      })
      .then(
        (found) => {
          const [first] = found as [{ address: string; family: number }, ...unknown[]]
          if (options.all) callback(null, found)
          else callback(null, first.address, first.family)
        },
        (error: Error) => callback(error, '', 0),
      )
  }
}
