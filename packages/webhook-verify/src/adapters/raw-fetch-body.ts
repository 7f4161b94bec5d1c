import { WebhookVerificationError } from '../verification/errors.ts'
import { broken, joined, tooLarge } from './raw-body.ts'
import { withinLimit } from './raw-request.ts'
import { DEFAULT_MAX_BODY_BYTES } from './receiver.ts'

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

function fail(cause: unknown): never {
  throw broken(cause)
}
