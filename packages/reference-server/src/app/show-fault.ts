import { setTimeout as sleep } from 'node:timers/promises'
import { ERROR_STATUS, type ErrorCode } from '@formwire/contract'
import { jsonText } from '../http/answers.ts'
import type { OutgoingMessage } from '../http/message.ts'
import type { Fault } from './faults.ts'

/** Before the work: waits, then answers in its place; `undefined` lets the request go on. */
export async function showFault(fault: Fault, signal: AbortSignal): Promise<OutgoingMessage | undefined> {
  if (fault.delay_ms) await pause(fault.delay_ms, signal)
  if (fault.reset === true || fault.reset === 'before') return cutOff()
  return fault.status === undefined ? undefined : faultAnswer(fault, fault.status)
}

/** After the work: what becomes of its answer on the way to the client. */
export function spoilAnswer(fault: Fault, answer: OutgoingMessage, signal: AbortSignal): OutgoingMessage {
  const { reset, truncate, content_type: contentType, drip_ms: dripMs, drip_bytes: dripBytes = 16 } = fault
  if (answer.reset || reset === 'unanswered') return cutOff()
  if (contentType !== undefined) answer.headers['content-type'] = contentType
  if (fault.status === undefined && fault.retry_after !== undefined) {
    answer.headers['retry-after'] = String(fault.retry_after)
  }
  if (reset === 'middle' || reset === 'after') answer.reset = reset
  const body = bytesOf(answer)
  if (!body) return answer
  if (truncate) {
    answer.body = body.subarray(0, body.length >> 1)
    answer.headers['content-length'] &&= String(answer.body.length)
  }
  if (dripMs !== undefined) {
    const whole = bytesOf(answer) ?? body
    // A body in one piece is cut by the door. This one is cut where it ends.
    const dripped = reset === 'middle' ? whole.subarray(0, whole.length >> 1) : whole
    answer.body = drip(dripped, dripMs, dripBytes, signal)
  }
  return answer
}

const cutOff = (): OutgoingMessage => ({ status: 500, headers: {}, body: null, reset: true })

function faultAnswer({ body, retry_after: retryAfter }: Fault, status: number): OutgoingMessage {
  const code = (Object.keys(ERROR_STATUS) as ErrorCode[]).find((known) => ERROR_STATUS[known] === status)
  const answer = answerAs(body ?? (code ? 'json' : 'html'), status, code ?? 'server_error')
  if (retryAfter !== undefined) answer.headers['retry-after'] = String(retryAfter)
  if (status === ERROR_STATUS.unauthorized) answer.headers['www-authenticate'] = 'Bearer'
  return answer
}

function answerAs(body: 'json' | 'html' | 'empty', status: number, code: ErrorCode): OutgoingMessage {
  if (body === 'empty' || status === 204 || status === 304) return { status, headers: {}, body: null }
  if (body === 'json')
    return jsonText(status, JSON.stringify({ error: { code, message: 'Injected fault.' } }))
  const html = `<!doctype html><title>${status}</title><h1>${status}</h1><p>Injected fault.</p>\n`
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: html }
}

/** The body in one piece; `undefined` for none and for a stream. */
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
    if (at > 0) await pause(everyMs, signal)
    yield body.subarray(at, at + bytes)
  }
}

/** Real time; ends early when the client goes away, and keeps no process alive. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<unknown> =>
  sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined)
