import { LIMITS } from '@formwire/contract'
import { sendRequest } from '../http/request.ts'
import { connectionCode, connectionProblem, type ServiceError } from '../service-message.ts'
import type { HandledDelivery, RawDelivery } from './receiver.ts'

/** Limit for the handler's response body. The service keeps only 300 characters. */
const MAX_RESPONSE_BYTES = 64 * 1024

/** One request to a handler. */
export interface ForwardRequest {
  url: string
  headers: Readonly<Record<string, string>>
  body: Buffer
  timeoutMs: number
  /** Accepts any TLS certificate. */
  insecure?: boolean
}

/** The outcome of forwarding a delivery. */
export type Forwarded =
  | { reached: true; status: number; body: Buffer; contentType: string | undefined; durationMs: number }
  /** `reason` is a sentence, such as `cannot connect to the handler: connection refused`. */
  | { reached: false; reason: string; code: string | undefined; durationMs: number }

/** Sends the bytes to the handler and resolves to its response. Never throws. `name` is what the reason of a failure calls it. */
export async function forward(
  request: ForwardRequest,
  now: () => number,
  name = 'the handler',
): Promise<Forwarded> {
  const startedAt = now()
  const { url, headers, body, timeoutMs, insecure = false } = request
  try {
    const response = await sendRequest(
      {
        url,
        method: 'POST',
        headers: { ...headers, 'content-length': body.length },
        body,
        timeoutMs,
        insecure,
        // A kept connection may be closed by the handler just when it is used again, which would fail the delivery.
        ownConnection: true,
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
    return { reached: false, ...reasonOf(error as Error, name), durationMs: now() - startedAt }
  }
}

/** Returns the delivery with as much of the handler's response body as the service keeps (DLV-07). */
export function handled(delivery: RawDelivery, forwarded: Forwarded | undefined): HandledDelivery {
  if (!forwarded?.reached) return delivery
  // A character has at most four bytes.
  const start = forwarded.body.subarray(0, 4 * LIMITS.receiverAnswerMaxLength).toString()
  return { ...delivery, responseBody: start.slice(0, LIMITS.receiverAnswerMaxLength) }
}

const CERTIFICATE = /CERT|^UNABLE_TO|^SELF_SIGNED|^DEPTH_ZERO/
const NOT_CONNECTED = /^(?:ECONNREFUSED$|ENOTFOUND$|EAI_|EHOST|ENET)/

/** Returns why there was no response, as a sentence about the handler. */
function reasonOf(error: Error, name: string): { reason: string; code: string | undefined } {
  const code = connectionCode(error)
  const problem = connectionProblem(error) ?? error.message
  if (code !== undefined && CERTIFICATE.test(code))
    return {
      code,
      reason: `the certificate of ${name} is not trusted (${code}); pass --insecure for a local handler`,
    }
  if (code !== undefined && NOT_CONNECTED.test(code))
    return { code, reason: `cannot connect to ${name}: ${problem}` }
  const { timeoutMs } = error as ServiceError
  const within = timeoutMs === undefined ? `: ${problem}` : ` within ${Number(timeoutMs) / 1000} s`
  return { code, reason: `no response from ${name}${within}` }
}
