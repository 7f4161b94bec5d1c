import type { AppliedFault, JournalBody, JournalDetail } from '@formwire/contract/control'
import type { ApiKey } from '../domain/key.ts'
import { JOURNAL_BODY_BYTES } from '../resource-limits.ts'
import { maskedHeader, withoutSecrets } from './masked.ts'
import type { BodyStart, IncomingMessage, OutgoingMessage, SentHeaders } from './message.ts'

/** A request to send again. */
export interface RecordedMessage {
  readonly method: string
  readonly path: string
  readonly query: string
  /** Whether a secret of the path or the query was left out. */
  readonly isMasked: boolean
  readonly key: ApiKey | undefined
  readonly fault: AppliedFault | undefined
  /** `undefined` if headers and body are not kept. */
  readonly headers?: ReadonlyMap<string, string>
  readonly body?: BodyStart | undefined
}

/** Headers and bodies of a request and its response. Reused for another request, since new objects would be expensive to collect. */
export class KeptMessages {
  #sentHeaders: SentHeaders | undefined
  #requestBody: BodyStart | undefined
  #responseHeaders: Readonly<Record<string, string>> = {}
  #responseBody: string | Uint8Array | undefined
  #responseBytes: number | undefined

  keep(
    { method, sentHeaders, bodyStart }: Pick<IncomingMessage, 'method' | 'sentHeaders' | 'bodyStart'>,
    response: Pick<OutgoingMessage, 'headers' | 'body' | 'byteLength' | 'start'>,
  ): void {
    const { headers, body, byteLength, start } = response
    this.#sentHeaders = Array.isArray(sentHeaders) ? withoutAuthorization(sentHeaders) : sentHeaders
    this.#requestBody = bodyStart
    this.#responseHeaders = headers
    this.#responseBody = undefined
    this.#responseBytes = byteLength
    if (method === 'HEAD') return
    if (start) this.#keepBody(start)
    else if (typeof body === 'string' || body instanceof Uint8Array) this.#keepBody(body)
  }

  /** Keeps a reference to a body, since most are never read, or a copy of the start of a long one. */
  #keepBody(body: string | Uint8Array): void {
    if (body.length <= 2 * JOURNAL_BODY_BYTES) this.#responseBody = body
    else {
      this.#responseBytes ??= Buffer.byteLength(body)
      this.#responseBody = Buffer.from(body.slice(0, JOURNAL_BODY_BYTES) as string)
    }
  }

  /** Whether there is anything to keep: the demo's history has most requests without their bodies. */
  get isKept(): boolean {
    return this.#sentHeaders !== undefined
  }

  request() {
    return { headers: headerMap(this.#sentHeaders), body: this.#requestBody }
  }

  /** Returns headers and bodies as the control API shows them. */
  describe(key: ApiKey | undefined): Messages {
    const requestBody = this.#requestBody
    const responseBody = this.#responseBody
    const headers = headerMap(this.#sentHeaders)
    if (key && headers.has('authorization')) headers.set('authorization', `Bearer ${key.prefix}`)
    return {
      request_headers: masked(headers),
      request_body:
        requestBody && (requestBody.size > 0 || requestBody.isCut)
          ? shown(requestBody.bytes(), requestBody.size, requestBody.isCut)
          : null,
      response_headers: masked(Object.entries(this.#responseHeaders)),
      response_body: responseBody?.length ? shown(responseBody, this.#responseBytes) : null,
    }
  }
}

type Messages = Pick<JournalDetail, 'request_headers' | 'request_body' | 'response_headers' | 'response_body'>

const NOT_KEPT: Messages = {
  request_headers: null,
  request_body: null,
  response_headers: null,
  response_body: null,
}

/** Returns headers and bodies as the control API shows them; `null` for each if they are not kept. */
export const describeMessages = (messages: KeptMessages | undefined, key: ApiKey | undefined): Messages =>
  messages?.describe(key) ?? NOT_KEPT

/** A request over a socket is kept without its credential. In process, its headers are an object of the caller. */
function withoutAuthorization(headers: readonly string[]): string[] {
  const kept = headers.slice()
  for (let at = 0; at < kept.length; at += 2) {
    const name = kept[at] as string
    // The length is compared first, since lowercasing every name is slow.
    if (name.length === 13 && name.toLowerCase() === 'authorization') kept[at + 1] = ''
  }
  return kept
}

/** Returns headers by their names in lower case; the values of those with the same name in one. */
function headerMap(headers: SentHeaders = []): Map<string, string> {
  const map = new Map<string, string>()
  const add = (name: string, value: string): void => {
    const before = map.get(name.toLowerCase())
    map.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`)
  }
  if (!Array.isArray(headers))
    for (const [name, value] of headers as Iterable<readonly [string, string]>) add(name, value)
  else for (let at = 0; at < headers.length; at += 2) add(headers[at], headers[at + 1])
  return map
}

const masked = (headers: Iterable<readonly [string, string]>): Record<string, string> =>
  Object.fromEntries(Array.from(headers, ([name, value]) => [name, maskedHeader(name, value)]))

/** Returns a body as text: its first bytes, without half a character or the start of a password at the end. */
function shown(body: string | Uint8Array, bytes = Buffer.byteLength(body), isCut = false): JournalBody {
  const start = Buffer.from(body as string).subarray(0, JOURNAL_BODY_BYTES)
  const truncated = isCut || bytes > start.length
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(start, { stream: truncated })
  // The @ that ends a password may be in the rest.
  return {
    text: truncated ? withoutSecrets(`${text}@`).replace(/@$/, '') : withoutSecrets(text),
    bytes,
    truncated,
  }
}
