import { setTimeout as sleep } from 'node:timers/promises'
import { ERROR_STATUS, type ErrorCode } from '@formwire/contract'
import { jsonText } from '../http/answers.ts'
import { invalid } from '../http/errors.ts'
import type { IncomingMessage, OutgoingMessage } from '../http/message.ts'

/** A failure to be shown to clients of the API and of public forms. */
export interface Fault {
  /** Upper case. @default any method */
  method?: string
  /** Whole path, with `*` for any one segment: `/api/v1/forms/*`. @default any path */
  path?: string
  /** Answer with this status instead of doing the work. 502, 503 and 504 come as a proxy's HTML page. */
  status?: number
  /** Real milliseconds to wait first. */
  delay_ms?: number
  /** How many requests it meets. @default all */
  times?: number
  /** Cut the connection instead of answering. */
  reset?: boolean
  /** `Retry-After` of the answer: seconds, or an HTTP date. */
  retry_after?: number | string
}

interface ActiveFault {
  readonly fault: Fault
  readonly matchesPath: (path: string) => boolean
  left: number
}

/** The faults in force. The first one that fits a request meets it. */
export class Faults {
  #active: ActiveFault[] = []

  add(fault: Fault): Fault {
    check(fault)
    this.#active.push({
      fault,
      matchesPath: pathMatcher(fault.path),
      left: fault.times ?? Number.POSITIVE_INFINITY,
    })
    return fault
  }

  /** Those in force, oldest first; `times` is what is left. */
  list(): Fault[] {
    return this.#active.map(({ fault, left }) => (Number.isFinite(left) ? { ...fault, times: left } : fault))
  }

  clear(): void {
    this.#active = []
  }

  /** The fault that meets this request, used up by one. */
  take(request: IncomingMessage): Fault | undefined {
    if (this.#active.length === 0) return undefined
    const met = this.#active.find(
      ({ fault, matchesPath }) =>
        (fault.method === undefined || fault.method.toUpperCase() === request.method) &&
        matchesPath(request.path),
    )
    if (!met) return undefined
    met.left -= 1
    if (met.left <= 0) this.#active = this.#active.filter((one) => one !== met)
    return met.fault
  }
}

/** Waits, then answers in place of the operation; `undefined` lets the request go on (a delay alone). */
export async function showFault(fault: Fault, signal: AbortSignal): Promise<OutgoingMessage | undefined> {
  if (fault.delay_ms) await sleep(fault.delay_ms, undefined, { signal, ref: false }).catch(() => undefined)
  if (fault.reset) return { status: 500, headers: {}, body: null, reset: true }
  if (fault.status === undefined) return undefined
  const answer = faultAnswer(fault.status)
  if (fault.retry_after !== undefined) answer.headers['retry-after'] = String(fault.retry_after)
  return answer
}

function faultAnswer(status: number): OutgoingMessage {
  const code = (Object.keys(ERROR_STATUS) as ErrorCode[]).find((known) => ERROR_STATUS[known] === status)
  if (code) return jsonText(status, JSON.stringify({ error: { code, message: 'Injected fault.' } }))
  if (status === 204 || status === 304 || status < 200) return { status, headers: {}, body: null }
  const html = `<!doctype html><title>${status}</title><h1>${status}</h1><p>Injected fault.</p>\n`
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: html }
}

function check(fault: Fault): void {
  const { status, delay_ms: delayMs, times, path, method, retry_after: retryAfter, reset } = fault
  if (method !== undefined && typeof method !== 'string')
    throw invalid('method', 'method takes an HTTP method.')
  if (path !== undefined && !(typeof path === 'string' && path.startsWith('/'))) {
    throw invalid('path', 'path takes a whole path, such as /api/v1/me; * stands for one segment.')
  }
  if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599)) {
    throw invalid('status', 'status takes a number from 200 to 599.')
  }
  if (delayMs !== undefined && !(Number.isInteger(delayMs) && delayMs >= 0 && delayMs <= 600_000)) {
    throw invalid('delay_ms', 'delay_ms takes a number from 0 to 600000.')
  }
  if (times !== undefined && !(Number.isInteger(times) && times >= 1)) {
    throw invalid('times', 'times takes a number from 1.')
  }
  if (reset !== undefined && typeof reset !== 'boolean') throw invalid('reset', 'reset takes true or false.')
  if (
    retryAfter !== undefined &&
    !(typeof retryAfter === 'string' && /^[\x20-\x7e]+$/.test(retryAfter)) &&
    !Number.isInteger(retryAfter)
  ) {
    throw invalid('retry_after', 'retry_after takes seconds or an HTTP date.')
  }
}

function pathMatcher(pattern: string | undefined): (path: string) => boolean {
  if (pattern === undefined) return () => true
  const wanted = pattern.split('/')
  return (path) => {
    const segments = path.split('/')
    return (
      segments.length === wanted.length && wanted.every((part, i) => part === '*' || part === segments[i])
    )
  }
}
