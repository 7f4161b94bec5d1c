import { DEFAULT_MAX_BODY_BYTES } from '../verification/body.ts'
import { checkOptions } from '../verification/check-options.ts'
import { WebhookVerificationError } from '../verification/errors.ts'
import { HEADER } from '../verification/headers.ts'
import { checkMaxBodyBytes, type ReadRequest } from './receiver.ts'

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
 * @param maxBodyBytes largest body in bytes. Default 2.5 MiB.
 * @throws WebhookVerificationError (as a rejection) code "body_already_parsed" when the stream was consumed,
 * "body_too_large", or "body_read_failed" when the connection broke.
 */
export async function readRawBody(
  request: IncomingMessageLike,
  options: { maxBodyBytes?: number | undefined } = {},
): Promise<Uint8Array> {
  checkOptions(options, { maxBodyBytes: true })
  const { maxBodyBytes = DEFAULT_MAX_BODY_BYTES } = options
  checkMaxBodyBytes(maxBodyBytes)
  return readWithin(request, maxBodyBytes)
}

/** Reads like {@link readRawBody}, with a limit that was checked before. Throws what concerns the request at once. */
function readWithin(request: IncomingMessageLike, maxBodyBytes: number): Promise<Uint8Array> {
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

/**
 * Reads headers and raw body of a `Request` that nothing has read yet.
 * @throws WebhookVerificationError (as a rejection) code "body_already_parsed", "body_too_large" or "body_read_failed".
 */
export async function readFetchRequest(request: Request, maxBodyBytes: number): Promise<ReadRequest> {
  const { headers, url } = request
  return { headers, body: await readFetchBody(request, maxBodyBytes), url }
}

async function readFetchBody(request: Request, maxBodyBytes: number): Promise<Uint8Array> {
  if (request.bodyUsed || request.body?.locked) {
    throw new WebhookVerificationError(
      'body_already_parsed',
      'The request was already read, so the webhook cannot be verified.',
      {
        hint: 'Read the raw body once with arrayBuffer() or text(), or pass request.clone() to the webhook.',
      },
    )
  }
  if (Number(request.headers.get('content-length')) > maxBodyBytes) throw tooLarge(maxBodyBytes)
  // Some runtimes, such as Firefox, do not stream request bodies; an absent body is null.
  if (!request.body) return withinLimit(new Uint8Array(await request.arrayBuffer().catch(fail)), maxBodyBytes)
  const reader = request.body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read().catch(fail)
    if (done) return joined(chunks, length)
    length += value.length
    if (length > maxBodyBytes) {
      // Not awaited: an unresponsive sender must not delay the response.
      reader.cancel().catch(() => undefined)
      throw tooLarge(maxBodyBytes)
    }
    chunks.push(value)
  }
}

/** Joins the chunks. Does not copy a single chunk. */
function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
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
function broken(cause?: unknown): WebhookVerificationError {
  const message = 'The request ended before the whole body arrived.'
  return new WebhookVerificationError('body_read_failed', message, { cause })
}

function fail(cause: unknown): never {
  throw broken(cause)
}

/** Where frameworks store a body that they have read. */
interface BodyHolder {
  /** Set by body parsers: raw parsers store bytes or text, others a parsed value. */
  body?: unknown
  /** Set in addition to the parsed body by some parsers and platforms. */
  rawBody?: unknown
}

/** A Node request, with the members that frameworks may add. */
export interface NodeRequestLike extends IncomingMessageLike, BodyHolder {}

/**
 * Reads headers and raw body of a Node request. Prefers a raw body kept by a parser to the stream.
 * @param holder the object on which the framework stores a body that it has read.
 * @throws WebhookVerificationError (at once or as a rejection) code "body_already_parsed" if a parser kept only the parsed value.
 */
export function readNodeRequest(
  request: IncomingMessageLike,
  maxBodyBytes: number,
  holder: BodyHolder = request as NodeRequestLike,
): ReadRequest | Promise<ReadRequest> {
  const { headers } = request
  // Node writes the names in lower case. Iterating over all of them would cost more than the other checks of the headers.
  const deliveryHeaders = {
    [HEADER.event]: headers[HEADER.event],
    [HEADER.delivery]: headers[HEADER.delivery],
    [HEADER.timestamp]: headers[HEADER.timestamp],
    [HEADER.signature]: headers[HEADER.signature],
  }
  const { rawBody, body } = holder
  const kept = keptBody(rawBody) ?? keptBody(body)
  const url = request.originalUrl ?? request.url
  if (kept !== undefined) return { headers, deliveryHeaders, body: withinLimit(kept, maxBodyBytes), url }
  return readWithin(request, maxBodyBytes).then((read) => ({ headers, deliveryHeaders, body: read, url }))
}

/** Returns the body if it is bytes or text, as raw parsers store it. */
export function keptBody(body: unknown): string | Uint8Array | undefined {
  return typeof body === 'string' || body instanceof Uint8Array ? body : undefined
}

/** @throws WebhookVerificationError code "body_too_large". The length of a text is a lower bound of its bytes. */
export function withinLimit<Body extends string | Uint8Array>(body: Body, maxBodyBytes: number): Body {
  if (body.length > maxBodyBytes) throw tooLarge(maxBodyBytes)
  return body
}
