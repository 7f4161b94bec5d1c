import { WebhookVerificationError } from '../errors.ts'
import { DEFAULT_MAX_BODY_BYTES } from '../receiver.ts'

/** What is used of an `IncomingMessage`: told by its shape, so that this file needs no types of Node. */
export interface IncomingMessageLike {
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  readonly method?: string | undefined
  readonly readableDidRead?: boolean
  readonly readableEnded: boolean
  readonly destroyed: boolean
  readonly complete?: boolean
  // biome-ignore lint/suspicious/noExplicitAny: listeners differ by event, as in Node's own types
  on(event: string, listener: (...args: any[]) => void): unknown
  // biome-ignore lint/suspicious/noExplicitAny: see above
  off(event: string, listener: (...args: any[]) => void): unknown
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
  { maxBodyBytes = DEFAULT_MAX_BODY_BYTES }: { maxBodyBytes?: number | undefined } = {},
): Promise<Uint8Array> {
  // Without this look a consumed stream would never say "end" again, and the request would hang.
  if (request.readableDidRead || request.readableEnded) {
    throw new WebhookVerificationError(
      'body_already_parsed',
      'The request stream was read by something else before the webhook could verify it.',
    )
  }
  if (request.destroyed) throw broken()
  const announced = Number(request.headers['content-length'])
  if (announced > maxBodyBytes) {
    request.resume()
    throw tooLarge(maxBodyBytes)
  }
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let length = 0
    const settle = (finish: () => void) => {
      request.off('data', onData)
      request.off('end', onEnd)
      request.off('error', onError)
      request.off('close', onClose)
      finish()
    }
    const onData = (chunk: Uint8Array | string) => {
      // Text only where somebody called setEncoding() before; its UTF-8 bytes are what was sent.
      const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
      length += bytes.length
      if (length <= maxBodyBytes) {
        chunks.push(bytes)
        return
      }
      settle(() => reject(tooLarge(maxBodyBytes)))
      // Discards what still comes, so that the answer can go out; the connection is closed after it.
      request.resume()
    }
    const onEnd = () => settle(() => resolve(joined(chunks, length)))
    const onError = (cause: unknown) => settle(() => reject(broken(cause)))
    const onClose = () => settle(() => reject(broken()))
    request.on('data', onData)
    request.on('end', onEnd)
    request.on('error', onError)
    request.on('close', onClose)
  })
}

/** The chunks as one array; a body that came in one piece is not copied. */
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

/** The refusal of a body over the limit. */
export function tooLarge(maxBodyBytes: number): WebhookVerificationError {
  return new WebhookVerificationError('body_too_large', `The body is larger than ${maxBodyBytes} bytes.`)
}

function broken(cause?: unknown): WebhookVerificationError {
  return new WebhookVerificationError(
    'body_read_failed',
    'The request ended before its whole body had arrived.',
    {
      cause,
    },
  )
}
