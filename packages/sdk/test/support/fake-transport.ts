import type { Logger, Transport, TransportRequest, TransportResponse } from '../../src/index.ts'

/** A response of a fake transport. */
export interface FakeResponse {
  status?: number
  headers?: Record<string, string>
  /** JSON unless it is a string. */
  body?: unknown
}

/** A step of the script: respond, fail, or never settle. */
export type Step =
  | FakeResponse
  | Error
  | 'hang'
  | ((request: TransportRequest) => FakeResponse | Promise<FakeResponse>)

/** A transport that goes through a script, its last step again and again; `requests` is what it was sent. */
export function fakeTransport(...script: Step[]): Transport & { requests: TransportRequest[] } {
  const requests: TransportRequest[] = []
  const transport: Transport = async (request) => {
    requests.push(request)
    const step = script[Math.min(requests.length, script.length) - 1]
    if (step === undefined) throw new Error('empty script')
    if (step instanceof Error) throw step
    if (step === 'hang') return new Promise(() => {})
    return respond(typeof step === 'function' ? await step(request) : step)
  }
  return Object.assign(transport, { requests })
}

/** Returns a complete response, by default JSON with status 200. */
export function respond({ status = 200, headers, body = '' }: FakeResponse): TransportResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const type: Record<string, string> = text === '' ? {} : { 'content-type': 'application/json' }
  return { status, headers: new Headers({ ...type, ...headers }), body: text }
}

/** A system error as sockets give it. */
export function systemError(code: string, syscall?: string): Error {
  return new TypeError('fetch failed', {
    cause: Object.assign(new Error(`${syscall} ${code}`), { code, syscall }),
  })
}

/** A response to `GET /me`. */
export const ME: FakeResponse = { body: { data: { user: {}, workspace: {}, key: {} } } }

/** A logger that drops all lines but those of these levels. */
export function loggerOf(levels: Partial<Logger>): Logger {
  const quiet = () => {}
  return { debug: quiet, info: quiet, warn: quiet, error: quiet, ...levels }
}
