import { sendRequest } from '../http/request.ts'
import { forwardedHeaders } from './headers.ts'
import type { RawDelivery } from './receiver.ts'

/** The service gives a receiver this long (DLV-05); a slower handler fails there too. */
const DEADLINE_MS = 10_000
/** More of a handler's answer is not passed back: the service keeps 300 characters. */
const MAX_ANSWER_BYTES = 64 * 1024

/** How a handler took a delivery. */
export type Forwarded =
  | { reached: true; status: number; body: Buffer; contentType: string | undefined; durationMs: number }
  | { reached: false; reason: string; durationMs: number }

/** Sends the very same bytes, with the X-Service headers as they came, and waits for the handler's answer. */
export async function forward(delivery: RawDelivery, target: string, now: () => number): Promise<Forwarded> {
  const startedAt = now()
  try {
    const answer = await sendRequest(
      {
        url: target,
        method: 'POST',
        headers: { ...forwardedHeaders(delivery.rawHeaders), 'content-length': delivery.body.length },
        body: delivery.body,
        timeoutMs: DEADLINE_MS,
      },
      MAX_ANSWER_BYTES,
    )
    return {
      reached: true,
      status: answer.status,
      body: answer.body,
      contentType: answer.headers['content-type'],
      durationMs: now() - startedAt,
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return {
      reached: false,
      reason: code === 'ECONNREFUSED' ? 'nothing listens there' : message || String(code),
      durationMs: now() - startedAt,
    }
  }
}
