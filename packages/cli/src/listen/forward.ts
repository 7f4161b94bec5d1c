import { sendRequest } from '../http/request.ts'

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
  | { reached: false; reason: string; code: string | undefined; durationMs: number }

/** Sends the bytes to the handler and resolves to its response. Never throws. */
export async function forward(request: ForwardRequest, now: () => number): Promise<Forwarded> {
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
    return { reached: false, ...reasonOf(error as NodeJS.ErrnoException), durationMs: now() - startedAt }
  }
}

const CERTIFICATE_CODES = /^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS_CERT)/

function reasonOf(error: NodeJS.ErrnoException): { reason: string; code: string | undefined } {
  // Both addresses of localhost failed.
  const [first] = (error as { errors?: NodeJS.ErrnoException[] }).errors ?? []
  const code = error.code ?? first?.code
  if (code === 'ECONNREFUSED') return { code, reason: 'connection refused' }
  if (code !== undefined && CERTIFICATE_CODES.test(code))
    return { code, reason: `its certificate is not trusted (${code}); pass --insecure for a local handler` }
  return { code, reason: error.message || String(code) }
}
