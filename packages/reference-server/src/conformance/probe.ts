import { API_ROOT } from '@formwire/contract'
import { parseJson } from '@formwire/internal/json'

/** An HTTP response of the deployment, read to its end. */
export interface Reply {
  /** The request and its outcome, such as `GET /forms?page=0 → 422 validation_failed`. Never a key or a body. */
  readonly line: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; `undefined` when it is not JSON. */
  readonly json: unknown
}

/** How a request differs from a GET with the run's key. */
export interface ProbeRequest {
  method?: string
  /** Sent as JSON; a string is sent unchanged. */
  body?: unknown
  headers?: Record<string, string>
  /** Value of `Authorization`; `null` sends none. @default the run's key */
  authorization?: string | null
  /** Spelling of the scheme before the run's key. @default 'Bearer' */
  scheme?: string
  /** Whether the path is the whole path, rather than below `/api/v1`. @default false */
  outside?: boolean
}

export interface ProbeOptions {
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch: typeof globalThis.fetch
  /** Waits after a 429, in milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>
}

/** Maximum `Retry-After` to wait for, in seconds. */
const RETRY_AFTER_MAX_SECONDS = 120

/** Sends requests to one deployment and records their outcomes. */
export class Probe {
  readonly #options: ProbeOptions
  readonly #root: string
  /** Outcomes since the last `takeLines()`, oldest first. */
  #lines: string[] = []

  constructor(options: ProbeOptions) {
    this.#options = options
    this.#root = options.baseUrl.replace(/\/+$/, '')
  }

  /** Sends a request, and once more after a 429. Rejects when the deployment cannot be reached. */
  async send(path: string, request: ProbeRequest = {}): Promise<Reply> {
    const reply = await this.sendOnce(path, request)
    if (reply.status !== 429) return reply
    const seconds = Number(reply.headers.get('retry-after'))
    if (!(seconds >= 0 && seconds <= RETRY_AFTER_MAX_SECONDS)) return reply
    await this.#options.wait(seconds * 1000)
    return this.sendOnce(path, request)
  }

  /** Requests an absolute URL without a key, such as a form's public link. */
  async getPublic(url: string): Promise<Reply> {
    const response = await this.#options.fetch(url, { redirect: 'manual' })
    return this.#record(`GET ${url}`, response)
  }

  /** Returns the recorded outcomes and clears them. */
  takeLines(): string[] {
    const lines = this.#lines
    this.#lines = []
    return lines
  }

  /** Sends a request, without waiting after a 429. */
  async sendOnce(
    path: string,
    { method = 'GET', body, headers, authorization, scheme = 'Bearer', outside }: ProbeRequest = {},
  ): Promise<Reply> {
    const sent = new Headers(headers)
    const credential = authorization === undefined ? `${scheme} ${this.#options.apiKey}` : authorization
    if (credential !== null) sent.set('authorization', credential)
    if (body !== undefined && !sent.has('content-type')) sent.set('content-type', 'application/json')
    const response = await this.#options.fetch(`${this.#root}${outside ? '' : API_ROOT}${path}`, {
      method,
      headers: sent,
      redirect: 'manual',
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return this.#record(`${method} ${outside ? '' : API_ROOT}${path}`, response)
  }

  async #record(request: string, response: Response): Promise<Reply> {
    const text = await response.text()
    const json = parseJson(text)
    const code = (json as { error?: { code?: unknown } } | undefined)?.error?.code
    const line = `${request} → ${response.status}${typeof code === 'string' ? ` ${code}` : ''}`
    this.#lines.push(line)
    return { line, status: response.status, headers: response.headers, text, json }
  }
}
