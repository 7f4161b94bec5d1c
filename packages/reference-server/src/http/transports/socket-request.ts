import type { IncomingMessage as NodeRequest, ServerResponse } from 'node:http'
import { BodyTooLargeError } from '../../domain/service-error.ts'
import type { BodyStart, HeaderLookup, IncomingMessage, ReserveBytes } from '../message.ts'
import { receiveBody } from '../receive-body.ts'

/** A request received over a socket. Body and signal, which few operations need, are created on demand. */
export class SocketRequest implements IncomingMessage, HeaderLookup {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly request: NodeRequest
  readonly response: ServerResponse
  bodyStart: BodyStart | undefined
  #abort: AbortController | undefined

  constructor(request: NodeRequest, response: ServerResponse) {
    this.request = request
    this.response = response
    this.method = request.method ?? 'GET'
    const target = originForm(request)
    const mark = target.indexOf('?')
    this.path = mark < 0 ? target : target.slice(0, mark)
    this.query = mark < 0 ? '' : target.slice(mark + 1)
  }

  get headers(): HeaderLookup {
    return this
  }

  get(name: string): string | undefined {
    const value = this.request.headers[name]
    return typeof value === 'string' ? value : value?.[0]
  }

  get sentHeaders(): readonly string[] {
    return this.request.rawHeaders
  }

  /** The address of the peer. Headers such as `X-Forwarded-For` are ignored. */
  get address(): string {
    const address = this.request.socket.remoteAddress ?? '0.0.0.0'
    return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
  }

  get connection(): object {
    return this.request.socket
  }

  get origin(): string {
    return `http://${this.get('host') ?? 'localhost'}`
  }

  get signal(): AbortSignal {
    if (!this.#abort) {
      const abort = new AbortController()
      this.#abort = abort
      if (this.response.destroyed) abort.abort()
      else this.response.once('close', () => abort.abort())
    }
    return this.#abort.signal
  }

  /** Aborts `signal`, because the server is closing. */
  abort(): void {
    this.#abort?.abort()
  }

  async readBody(maxBytes: number, reserve?: ReserveBytes): Promise<Uint8Array> {
    // Refused by its Content-Length, before any of it is read.
    if (Number(this.request.headers['content-length'] ?? 0) > maxBytes) throw new BodyTooLargeError(maxBytes)
    return receiveBody(this.request, { maxBytes, reserve, start: this.bodyStart })
  }
}

/**
 * Returns the path and query of a request target. In absolute form, the host of the target replaces `Host`
 * (RFC 9112, 3.2.2).
 */
function originForm(request: NodeRequest): string {
  const target = request.url ?? '/'
  const [, host, rest = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/is.exec(target) ?? []
  if (host === undefined) return target
  request.headers.host = host
  return rest.startsWith('/') ? rest : `/${rest}`
}
