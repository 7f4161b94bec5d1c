import type { IncomingMessage as NodeRequest, ServerResponse } from 'node:http'
import { badRequest } from './errors.ts'
import type { HeaderLookup, IncomingMessage } from './message.ts'

/** A request that came over a socket. What few operations need (the body, the signal) is made when it is asked for. */
export class SocketRequest implements IncomingMessage, HeaderLookup {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly #request: NodeRequest
  readonly #response: ServerResponse
  #abort: AbortController | undefined

  constructor(request: NodeRequest, response: ServerResponse) {
    this.#request = request
    this.#response = response
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
    const value = this.#request.headers[name]
    return typeof value === 'string' ? value : value?.[0]
  }

  /** The peer's own address: no header is believed about it. */
  get address(): string {
    const address = this.#request.socket.remoteAddress ?? '0.0.0.0'
    return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
  }

  get connection(): object {
    return this.#request.socket
  }

  get origin(): string {
    return `http://${this.get('host') ?? 'localhost'}`
  }

  get signal(): AbortSignal {
    if (!this.#abort) {
      const abort = new AbortController()
      this.#abort = abort
      if (this.#response.destroyed) abort.abort()
      else this.#response.once('close', () => abort.abort())
    }
    return this.#abort.signal
  }

  /** Ends what listens to `signal`: the server closes. */
  abort(): void {
    this.#abort?.abort()
  }

  readBody(maxBytes: number): Promise<Uint8Array> {
    const request = this.#request
    const tooLarge = () => badRequest(`The body is larger than ${maxBytes} bytes.`)
    // Refused by what it announces, before a byte of it is read.
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.reject(tooLarge())
    return new Promise((resolve, reject) => {
      const chunks: Uint8Array[] = []
      let size = 0
      const stop = (settle: () => void) => {
        request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose)
        settle()
      }
      const onData = (chunk: Uint8Array) => {
        size += chunk.byteLength
        if (size > maxBytes) stop(() => reject(tooLarge()))
        else chunks.push(chunk)
      }
      const onEnd = () => stop(() => resolve(Buffer.concat(chunks)))
      const onClose = () => stop(() => reject(badRequest('The body broke off.')))
      request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
    })
  }
}

/**
 * Path and query of a request target. A client may send the absolute form: its host counts then, whatever `Host` says
 * (RFC 9112, 3.2.2).
 */
function originForm(request: NodeRequest): string {
  const target = request.url ?? '/'
  if (target.startsWith('/')) return target
  const [, host, rest = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/is.exec(target) ?? []
  if (host === undefined) return target
  request.headers.host = host
  return rest.startsWith('/') ? rest : `/${rest}`
}
