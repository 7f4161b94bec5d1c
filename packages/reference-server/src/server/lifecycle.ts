import { isLoopbackHost } from '@formwire/internal/loopback'
import type { Clock } from '../clock/clock.ts'
import { asHostName } from '../control/browser-guard.ts'
import { needsBuiltInReceiver } from '../control/built-in-receiver.ts'
import type { Handler } from '../http/handler.ts'
import type { OutgoingMessage } from '../http/message.ts'
import { type Listener, listenOnSocket } from '../http/transports/socket.ts'
import { namesOf, refuseUnknownOptions } from '../known-names.ts'
import type { ReferenceServerOptions } from '../options.ts'
import type { ServerParts } from './parts.ts'

/** Where a server listens. */
export interface ListenOptions {
  port?: number | undefined
  host?: string | undefined
  /** Whether the port keeps the process alive until the server is closed. @default true */
  ref?: boolean | undefined
}

const LISTEN_OPTIONS = namesOf<ListenOptions>({ port: true, host: true, ref: true })
const DEFAULT_PORT = 8787
const DEFAULT_HOST = '127.0.0.1'

/** Gives responses of the API, and JSON of others, the `Date` of a manual clock, where Node would send that of this machine. */
function dated(handler: Handler, clock: Clock): Handler {
  if (clock.mode === 'real') return handler
  return (request) => {
    const stamp = (response: OutgoingMessage): OutgoingMessage => {
      const { headers } = response
      if (request.path.startsWith('/api/') || headers['content-type'] === 'application/json')
        headers.date = new Date(clock.now()).toUTCString()
      return response
    }
    const response = handler(request)
    return response instanceof Promise ? response.then(stamp) : stamp(response)
  }
}

/** Opens the port of a server, and closes all that it holds open. */
export function createLifecycle(
  { allowedHosts, builtIn, closing, context, delivery, receivers }: ServerParts,
  options: ReferenceServerOptions,
  ready: Promise<void>,
  handler: Handler,
) {
  let listener: Listener | undefined
  let opening: Promise<Listener> | undefined
  let closed: Promise<void> | undefined

  const refuseClosed = (): void => {
    if (closed) throw new Error('The server is closed.')
  }
  const open = async (port: number, host: string, ref: boolean): Promise<Listener> => {
    await ready
    refuseClosed()
    // Before the first request, so that the URLs of the endpoints do not change under a client.
    if (needsBuiltInReceiver(context.state)) await builtIn.start()
    refuseClosed()
    // Reachable from the network: apply the production address rules unless the option is set.
    if (options.addressRules === undefined && !isLoopbackHost(asHostName(host)))
      context.settings.addressRules = 'production'
    return listenOnSocket(dated(handler, context.clock), { port, host, ref })
  }
  const closeListener = async (): Promise<void> => {
    const opened = listener ?? (await opening?.catch(() => undefined))
    await opened?.close()
  }

  return {
    async listen(where: ListenOptions = {}): Promise<{ url: string }> {
      refuseUnknownOptions(where, LISTEN_OPTIONS, 'listen')
      const { port = DEFAULT_PORT, host = DEFAULT_HOST, ref = true } = where
      refuseClosed()
      if (listener) throw new Error(`The server is already listening on ${listener.url}.`)
      if (opening) throw new Error('listen() was already called.')
      opening = open(port, host, ref)
      try {
        listener = await opening
      } finally {
        opening = undefined
      }
      refuseClosed()
      const { url } = listener
      allowedHosts.add(asHostName(host))
      if (options.publicUrl === undefined) context.settings.publicUrl = url
      return { url }
    },
    close(): Promise<void> {
      closing.abort()
      closed ??= Promise.all([delivery.close(), closeListener(), receivers.close(), builtIn.close()]).then(
        () => undefined,
      )
      return closed
    },
  }
}
