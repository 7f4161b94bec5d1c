import { checkOptions } from '../verification/check-options.ts'
import { WebhookVerificationError } from '../verification/errors.ts'
import { checkMaxBodyBytes, DEFAULT_MAX_BODY_BYTES } from './receiver.ts'

/** The part of an `IncomingMessage` that is used, declared here so that the types do not depend on Node's. */
export interface IncomingMessageLike {
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** The URL before a router removed the path at which it is mounted. */
  readonly originalUrl?: string | undefined
  readonly readableDidRead?: boolean
  readonly readableEnded: boolean
  readonly destroyed: boolean
  readonly complete?: boolean
  // biome-ignore lint/suspicious/noExplicitAny: listeners differ per event, as in Node's types
  on(event: string, listener: (...args: any[]) => void): unknown
  resume(): unknown
}

/**
 * Reads the raw body of a request that nothing has read yet.
 * @param maxBodyBytes largest body in bytes. Default 1 MiB.
 * @throws WebhookVerificationError (as a rejection) code "body_already_parsed" when the stream was consumed,
 * "body_too_large", or "body_read_failed" when the connection broke.
 */
export async function readRawBody(
  request: IncomingMessageLike,
  options: { maxBodyBytes?: number | undefined } = {},
): Promise<Uint8Array> {
  checkOptions(options, { maxBodyBytes: true })
  checkMaxBodyBytes(options.maxBodyBytes)
  return readWithin(request, options.maxBodyBytes)
}

/** Reads like {@link readRawBody}, with a limit that was checked before. Throws what concerns the request at once. */
export function readWithin(
  request: IncomingMessageLike,
  maxBodyBytes: number = DEFAULT_MAX_BODY_BYTES,
): Promise<Uint8Array> {
  // A consumed stream never emits "end" again, so the request would hang.
  if (request.readableDidRead || request.readableEnded) {
    throw new WebhookVerificationError(
      'body_already_parsed',
      'The request stream was already read, so the webhook cannot be verified.',
    )
  }
  if (request.destroyed) throw broken()
  const announced = Number(request.headers['content-length'])
  if (announced > maxBodyBytes) {
    request.resume()
    throw tooLarge(maxBodyBytes)
  }
  return new Promise((resolve, reject) => {
    let chunks: Uint8Array[] = []
    let length = 0
    let settled = false
    // The listeners stay: removing them from every request costs more than all else here. The one for data discards the rest of
    // a body over the limit, so that the response can be sent; the connection is closed after it.
    const fail = (error: WebhookVerificationError) => {
      settled = true
      chunks = []
      reject(error)
    }
    request.on('data', (chunk: Uint8Array | string) => {
      if (settled) return
      // Chunks are text if setEncoding() was called before; the sender sent the UTF-8 bytes.
      const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
      length += bytes.length
      if (length > maxBodyBytes) fail(tooLarge(maxBodyBytes))
      else chunks.push(bytes)
    })
    request.on('end', () => {
      if (settled) return
      settled = true
      resolve(joined(chunks, length))
    })
    request.on('error', (cause: unknown) => {
      if (!settled) fail(broken(cause))
    })
    request.on('close', () => {
      if (!settled) fail(broken())
    })
  })
}

/** Joins the chunks. Does not copy a single chunk. */
export function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks
  if (chunks.length === 1 && first) return first
  const whole = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.length
  }
  return whole
}

/** Returns the error for a body over the limit. */
export function tooLarge(maxBodyBytes: number): WebhookVerificationError {
  return new WebhookVerificationError('body_too_large', `The body is larger than ${maxBodyBytes} bytes.`)
}

/** Returns the error for a request that ended early. */
export function broken(cause?: unknown): WebhookVerificationError {
  const message = 'The request ended before the whole body arrived.'
  return new WebhookVerificationError('body_read_failed', message, { cause })
}
