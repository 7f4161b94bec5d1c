import { asHostName, isLoopbackHost } from '../control/browser-guard.ts'
import { needsBuiltInReceiver } from '../control/built-in-receiver.ts'
import type { Handler } from '../http/handler.ts'
import { type Listener, listenOnSocket } from '../http/transports/socket.ts'
import { namesOf, refuseUnknownOptions } from '../known-names.ts'
import type { ReferenceServerOptions } from '../options.ts'
import type { ServerParts } from './parts.ts'
import type { Seeding } from './seeding.ts'

/** Where a server listens. */
export interface ListenOptions {
  port?: number
  host?: string
  /** Whether the port keeps the process alive until the server is closed. @default true */
  ref?: boolean
}

const LISTEN_OPTIONS = namesOf<ListenOptions>({ port: true, host: true, ref: true })
const DEFAULT_PORT = 8787
const DEFAULT_HOST = '127.0.0.1'

/** Opens the port of a server, and closes all that it holds open. */
export class Lifecycle {
  readonly #parts: ServerParts
  readonly #options: ReferenceServerOptions
  readonly #ready: Promise<void>
  readonly #handler: Handler
  #listener: Listener | undefined
  #opening: Promise<Listener> | undefined
  #closing: Promise<void> | undefined

  constructor(
    parts: ServerParts,
    options: ReferenceServerOptions,
    { ready }: Pick<Seeding, 'ready'>,
    handler: Handler,
  ) {
    this.#parts = parts
    this.#options = options
    this.#ready = ready
    this.#handler = handler
  }

  async listen(where: ListenOptions = {}): Promise<{ url: string }> {
    refuseUnknownOptions(where, LISTEN_OPTIONS, 'listen')
    const { port = DEFAULT_PORT, host = DEFAULT_HOST, ref = true } = where
    this.#refuseClosed()
    if (this.#listener) throw new Error(`The server is already listening on ${this.#listener.url}.`)
    if (this.#opening) throw new Error('listen() was already called.')
    this.#opening = this.#open(port, host, ref)
    try {
      this.#listener = await this.#opening
    } finally {
      this.#opening = undefined
    }
    this.#refuseClosed()
    const { url } = this.#listener
    this.#parts.allowedHosts.add(asHostName(host))
    if (this.#options.publicUrl === undefined) this.#parts.context.settings.publicUrl = url
    return { url }
  }

  close(): Promise<void> {
    const { closing, delivery, receivers, builtIn } = this.#parts
    closing.abort()
    this.#closing ??= Promise.all([
      delivery.close(),
      this.#closeListener(),
      receivers.close(),
      builtIn.close(),
    ]).then(() => undefined)
    return this.#closing
  }

  async #open(port: number, host: string, ref: boolean): Promise<Listener> {
    await this.#ready
    this.#refuseClosed()
    const { builtIn, context } = this.#parts
    // Before the first request, so that the URLs of the endpoints do not change under a client.
    if (needsBuiltInReceiver(context.state)) await builtIn.start()
    this.#refuseClosed()
    // Reachable from the network: apply the production address rules unless the option is set.
    if (this.#options.addressRules === undefined && !isLoopbackHost(asHostName(host))) {
      context.settings.addressRules = 'production'
    }
    return listenOnSocket(this.#handler, { port, host, ref })
  }

  async #closeListener(): Promise<void> {
    const opened = this.#listener ?? (await this.#opening?.catch(() => undefined))
    await opened?.close()
  }

  #refuseClosed(): void {
    if (this.#closing) throw new Error('The server is closed.')
  }
}
