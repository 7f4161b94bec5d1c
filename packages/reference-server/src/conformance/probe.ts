import { API_ROOT } from '@formwire/contract'

/** What a deployment answered. */
export interface Seen {
  /** `GET /forms?page=0 → 422 validation_failed`: what was asked and what came, never a key or a body. */
  readonly line: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON, `undefined` when it is none. */
  readonly json: unknown
}

/** How one request differs from a plain GET with the run's key. */
export interface ProbeRequest {
  method?: string
  /** Sent as JSON; a string goes out as it is. */
  body?: unknown
  headers?: Record<string, string>
  /** Value of `Authorization`; `null` sends none. @default the run's key */
  authorization?: string | null
  /** How the scheme before the run's key is spelled. @default 'Bearer' */
  scheme?: string
  /** Outside `/api/v1`: a whole path. @default false */
  outside?: boolean
}

export interface ProbeOptions {
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch: typeof globalThis.fetch
  /** Waits out a 429. In milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>
}

/** Longest wait that a 429 may ask for before the run gives up, in seconds. */
const RETRY_AFTER_MAX_SECONDS = 120

/** Asks one deployment and writes down what came. */
export class Probe {
  readonly #options: ProbeOptions
  readonly #root: string
  /** What was seen since the last `take`, oldest first. */
  #lines: string[] = []

  constructor(options: ProbeOptions) {
    this.#options = options
    this.#root = options.baseUrl.replace(/\/+$/, '')
  }

  /** Sends one request; a 429 is waited out once. Rejects when nothing answers. */
  async ask(path: string, request: ProbeRequest = {}): Promise<Seen> {
    const seen = await this.#send(path, request)
    if (seen.status !== 429) return seen
    const seconds = Number(seen.headers.get('retry-after'))
    if (!(seconds >= 0 && seconds <= RETRY_AFTER_MAX_SECONDS)) return seen
    await this.#options.wait(seconds * 1000)
    return this.#send(path, request)
  }

  /** Sends one request and takes a 429 for an answer like any other. */
  askOnce(path: string, request: ProbeRequest = {}): Promise<Seen> {
    return this.#send(path, request)
  }

  /** Asks for an address of its own, such as a form's public link, without a key. */
  async askPublic(url: string): Promise<Seen> {
    const response = await this.#options.fetch(url, { redirect: 'manual' })
    return this.#note(`GET ${url}`, response)
  }

  /** The lines since the last call. */
  takeLines(): string[] {
    const lines = this.#lines
    this.#lines = []
    return lines
  }

  async #send(
    path: string,
    { method = 'GET', body, headers, authorization, scheme = 'Bearer', outside }: ProbeRequest,
  ): Promise<Seen> {
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
    return this.#note(`${method} ${outside ? '' : API_ROOT}${path}`, response)
  }

  async #note(asked: string, response: Response): Promise<Seen> {
    const text = await response.text()
    const json = parse(text)
    const code = (json as { error?: { code?: unknown } } | undefined)?.error?.code
    const line = `${asked} → ${response.status}${typeof code === 'string' ? ` ${code}` : ''}`
    this.#lines.push(line)
    return { line, status: response.status, headers: response.headers, text, json }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
