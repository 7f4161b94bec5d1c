import { ERROR_STATUS, type ErrorCode } from '@formwire/contract'
import type { Fault } from '@formwire/contract/control'
import { sleep } from '../../real-timers.ts'
import { jsonText } from '../json-response.ts'
import type { OutgoingMessage } from '../message.ts'

/** Runs before the operation: waits, then returns the response to send instead of running it, if any. */
export async function applyBefore(fault: Fault, signal: AbortSignal): Promise<OutgoingMessage | undefined> {
  if (fault.delay_ms) await sleep(fault.delay_ms, { signal })
  if (fault.reset === true || fault.reset === 'before') return cutOff()
  return fault.status === undefined ? undefined : faultResponse(fault, fault.status)
}

/** Runs after the operation: alters its response. */
export function applyAfter(fault: Fault, response: OutgoingMessage, signal: AbortSignal): OutgoingMessage {
  const { reset, truncate, content_type: contentType, drip_ms: dripMs, drip_bytes: dripBytes = 16 } = fault
  if (response.reset || reset === 'unanswered') return cutOff()
  if (contentType !== undefined) response.headers['content-type'] = contentType
  if (fault.status === undefined && fault.retry_after !== undefined)
    response.headers['retry-after'] = String(fault.retry_after)
  if (reset === 'middle' || reset === 'after') response.reset = reset
  const body = bytesOf(response)
  if (!body) return response
  if (truncate) {
    response.body = body.subarray(0, body.length >> 1)
    response.headers['content-length'] &&= String(response.body.length)
  }
  if (dripMs !== undefined) {
    const whole = bytesOf(response) ?? body
    // The transport cuts only bodies in one piece, so this stream ends at the middle.
    const dripped = reset === 'middle' ? whole.subarray(0, whole.length >> 1) : whole
    response.body = drip(dripped, dripMs, dripBytes, signal)
  }
  return response
}

const cutOff = (): OutgoingMessage => ({ status: 500, headers: {}, body: null, reset: true })

function faultResponse({ body, retry_after: retryAfter }: Fault, status: number): OutgoingMessage {
  const code = (Object.keys(ERROR_STATUS) as ErrorCode[]).find((known) => ERROR_STATUS[known] === status)
  const response = responseAs(body ?? (code ? 'json' : 'html'), status, code ?? 'server_error')
  if (retryAfter !== undefined) response.headers['retry-after'] = String(retryAfter)
  if (status === ERROR_STATUS.unauthorized) response.headers['www-authenticate'] = 'Bearer'
  return response
}

function responseAs(body: 'json' | 'html' | 'empty', status: number, code: ErrorCode): OutgoingMessage {
  if (body === 'empty' || status === 204 || status === 304) return { status, headers: {}, body: null }
  if (body === 'json')
    return jsonText(status, JSON.stringify({ error: { code, message: 'Injected fault.' } }))
  const html = `<!doctype html><title>${status}</title><h1>${status}</h1><p>Injected fault.</p>\n`
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: html }
}

/** Returns the bytes of a body that is not a stream; `undefined` without one. */
function bytesOf({ body }: OutgoingMessage): Uint8Array | undefined {
  if (typeof body === 'string') return Buffer.from(body)
  return body instanceof Uint8Array ? body : undefined
}

async function* drip(
  body: Uint8Array,
  everyMs: number,
  bytes: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length && !signal.aborted; at += bytes) {
    if (at > 0) await sleep(everyMs, { signal })
    yield body.subarray(at, at + bytes)
  }
}
