import { WebhookVerificationError } from '../errors.ts'
import { DEFAULT_MAX_BODY_BYTES } from '../receiver.ts'
import { joined, tooLarge } from './raw-body.ts'
import { withinLimit } from './raw-request.ts'

/**
 * Reads the raw body of a `Request` that nothing has read yet.
 * @param maxBodyBytes largest body in bytes. Default 1 MiB.
 * @throws WebhookVerificationError (as a rejection) code "body_already_parsed", "body_too_large" or "body_read_failed".
 */
export async function readFetchBody(
  request: Request,
  maxBodyBytes: number = DEFAULT_MAX_BODY_BYTES,
): Promise<Uint8Array> {
  if (request.bodyUsed || request.body?.locked) {
    throw new WebhookVerificationError(
      'body_already_parsed',
      'The request was read by something else before the webhook could verify it.',
      {
        hint: 'Read the raw body once with arrayBuffer() or text(), or let the webhook read request.clone().',
      },
    )
  }
  if (Number(request.headers.get('content-length')) > maxBodyBytes) throw tooLarge(maxBodyBytes)
  // Some runtimes give the body as a whole only, such as Firefox; and it is null where there is none.
  if (!request.body)
    return withinLimit(new Uint8Array(await request.arrayBuffer().catch(broken)), maxBodyBytes)
  const reader = request.body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read().catch(broken)
    if (done) return joined(chunks, length)
    length += value.length
    if (length > maxBodyBytes) {
      // Not awaited: a sender that does not react must not hold the answer up.
      reader.cancel().catch(() => undefined)
      throw tooLarge(maxBodyBytes)
    }
    chunks.push(value)
  }
}

function broken(cause: unknown): never {
  throw new WebhookVerificationError(
    'body_read_failed',
    'The request ended before its whole body had arrived.',
    { cause },
  )
}
