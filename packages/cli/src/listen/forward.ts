import { LIMITS } from '@formwire/contract'
import { sendRequest } from '../http/request.ts'
import { forwardedHeaders } from './headers.ts'
import type { RawDelivery } from './receiver.ts'

/** The service's timeout for a receiver, in milliseconds (DLV-05). */
const TIMEOUT_MS = LIMITS.deliveryTimeoutMs
/** Limit for the handler's response body. The service keeps only 300 characters. */
const MAX_RESPONSE_BYTES = 64 * 1024

/** The outcome of forwarding a delivery. */
export type Forwarded =
  | { reached: true; status: number; body: Buffer; contentType: string | undefined; durationMs: number }
  | { reached: false; reason: string; durationMs: number }

/** Sends the same bytes and X-Service headers to the handler and resolves to its response. */
export async function forward(delivery: RawDelivery, target: string, now: () => number): Promise<Forwarded> {
  const startedAt = now()
  try {
    const response = await sendRequest(
      {
        url: target,
        method: 'POST',
        headers: { ...forwardedHeaders(delivery.rawHeaders), 'content-length': delivery.body.length },
        body: delivery.body,
        timeoutMs: TIMEOUT_MS,
      },
      MAX_RESPONSE_BYTES,
    )
    return {
      reached: true,
      status: response.status,
      body: response.body,
      contentType: response.headers['content-type'],
      durationMs: now() - startedAt,
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return {
      reached: false,
      reason: code === 'ECONNREFUSED' ? 'connection refused' : message || String(code),
      durationMs: now() - startedAt,
    }
  }
}
