import type { AppliedFault, JournalBody, JournalDetail, JournalEntry } from '@formwire/contract/control'
import type { ApiKey } from '../domain/key.ts'
import { type RandomSource, randomText } from '../random.ts'
import { elapsedMs } from '../real-timers.ts'
import { JOURNAL_BODY_BYTES, JOURNAL_MESSAGES_MAX } from '../resource-limits.ts'
import type { ApiRequestInfo } from './api.ts'
import { maskedHeader, withoutSecrets } from './masked.ts'
import type { BodyStart, IncomingMessage, OutgoingMessage, SentHeaders } from './message.ts'

/** What is kept of a request; its entry is created when the journal is read. */
class KeptRequest {
  requestNumber = 0
  receivedAt = 0
  method = ''
  path = ''
  query = ''
  status = 0
  key: ApiKey | undefined = undefined
  address = ''
  /** Empty without the header. */
  userAgent = ''
  /** JSON body of an error, read when the journal is. Empty for a success. */
  errorBody = ''
  durationMs = 0
  fault: AppliedFault | undefined = undefined
  /** `undefined` if headers and bodies are not kept: a transport may pass no headers. */
  sentHeaders: SentHeaders | undefined = undefined
  requestBody: BodyStart | undefined = undefined
  responseHeaders: Readonly<Record<string, string>> = {}
  /** Not a copy, since most are never read, or the start of a long one. */
  responseBody: string | Uint8Array | undefined = undefined
  responseBytes: number | undefined = undefined
}

/** A longer body is not that of an error of the API, but one that a fault injects. */
const ERROR_BODY_MAX = 4_000

/** The latest API requests. Drops the oldest beyond its capacity. */
export class Journal {
  readonly #capacity: number
  readonly #requestIds: RequestIds
  /** A ring buffer of reused objects: new ones would live long enough to be expensive to collect. */
  readonly #entries: KeptRequest[] = []
  #count = 0
  /** The revision when the journal was last cleared. */
  #cleared = 0

  constructor(requestIds: RequestIds, capacity = 1000) {
    this.#requestIds = requestIds
    this.#capacity = capacity
  }

  add(
    request: Pick<
      IncomingMessage,
      'method' | 'path' | 'query' | 'headers' | 'address' | 'sentHeaders' | 'bodyStart'
    >,
    { requestNumber, receivedAt, key, startedMs, fault }: ApiRequestInfo,
    response: Pick<OutgoingMessage, 'status' | 'headers' | 'body' | 'byteLength' | 'start'>,
  ): void {
    const { status, headers, body, byteLength, start } = response
    const at = this.#count % this.#capacity
    this.#count += 1
    this.#entries[at] ??= new KeptRequest()
    const entry = this.#entries[at]
    entry.requestNumber = requestNumber
    entry.receivedAt = receivedAt
    entry.method = withoutSecrets(request.method)
    entry.path = withoutSecrets(request.path)
    entry.query = withoutSecrets(request.query)
    entry.status = status
    entry.key = key
    entry.address = request.address
    entry.userAgent = withoutSecrets(request.headers.get('user-agent') ?? '')
    entry.errorBody = status >= 400 && typeof body === 'string' && body.length <= ERROR_BODY_MAX ? body : ''
    entry.durationMs = elapsedMs() - startedMs
    entry.fault = fault
    const { sentHeaders } = request
    entry.sentHeaders = Array.isArray(sentHeaders) ? withoutAuthorization(sentHeaders) : sentHeaders
    entry.requestBody = request.bodyStart
    entry.responseHeaders = headers
    const sent = start ?? (typeof body === 'string' || body instanceof Uint8Array ? body : undefined)
    const isLong = sent !== undefined && sent.length > 2 * JOURNAL_BODY_BYTES
    entry.responseBytes = byteLength ?? (isLong ? Buffer.byteLength(sent) : undefined)
    entry.responseBody = isLong ? Buffer.from(sent.slice(0, JOURNAL_BODY_BYTES) as string) : sent
    if (request.method === 'HEAD') entry.responseBody = undefined
    const before = this.#count - 1 - JOURNAL_MESSAGES_MAX
    if (before >= 0 && this.#capacity > JOURNAL_MESSAGES_MAX) forget(this.#entries[before % this.#capacity])
  }

  /** Returns the entries, newest first. */
  list(): JournalEntry[] {
    const entries: JournalEntry[] = []
    for (let i = this.#count - 1; i >= Math.max(0, this.#count - this.#capacity); i -= 1)
      entries.push(this.#show(i + 1, this.#entries[i % this.#capacity] as KeptRequest))
    return entries
  }

  /** Returns a request by its number or its id, with headers and bodies. */
  get(id: string): JournalDetail | undefined {
    const oldest = Math.max(0, this.#count - this.#capacity)
    for (let number = this.#count; number > oldest; number -= 1) {
      const kept = this.#entries[(number - 1) % this.#capacity] as KeptRequest
      if (id !== String(number) && id !== this.#requestIds.textOf(kept.requestNumber)) continue
      const isLatest = number > this.#count - JOURNAL_MESSAGES_MAX
      return { ...this.#show(number, kept), ...describeMessages(isLatest ? kept : new KeptRequest()) }
    }
    return undefined
  }

  /** Grows with every request and when the journal is cleared. */
  get revision(): number {
    return this.#cleared + this.#count
  }

  clear(): void {
    this.#cleared = this.revision + 1
    this.#entries.length = 0
    this.#count = 0
  }

  #show(number: number, kept: KeptRequest): JournalEntry {
    return {
      number,
      request_id: this.#requestIds.textOf(kept.requestNumber),
      method: kept.method,
      path: kept.path,
      query: kept.query,
      status: kept.status,
      key_id: kept.key?.id ?? null,
      key_prefix: kept.key?.prefix ?? null,
      address: kept.address,
      user_agent: kept.userAgent || null,
      error: errorOf(kept.errorBody),
      duration_ms: Math.round(kept.durationMs * 10) / 10,
      fault: kept.fault ?? null,
      received_at: new Date(kept.receivedAt).toISOString(),
    }
  }
}

/** Reads the error of a response. A fault may have injected any other body. */
function errorOf(body: string): JournalEntry['error'] {
  if (body === '') return null
  try {
    const { code, message } = JSON.parse(body).error
    if (typeof code !== 'string' || typeof message !== 'string') return null
    return { code: withoutSecrets(code), message: withoutSecrets(message) }
  } catch {
    return null
  }
}

type Messages = Pick<JournalDetail, 'request_headers' | 'request_body' | 'response_headers' | 'response_body'>

/** Returns headers and bodies as the control API shows them; `null` for each if they are not kept. */
function describeMessages(kept: KeptRequest): Messages {
  const { key, sentHeaders, requestBody, responseHeaders, responseBody, responseBytes } = kept
  if (sentHeaders === undefined)
    return { request_headers: null, request_body: null, response_headers: null, response_body: null }
  const headers = headerMap(sentHeaders)
  if (key && headers.has('authorization')) headers.set('authorization', `Bearer ${key.prefix}`)
  return {
    request_headers: masked(headers),
    request_body:
      requestBody && (requestBody.size > 0 || requestBody.isCut)
        ? shown(requestBody.bytes(), requestBody.size, requestBody.isCut)
        : null,
    response_headers: masked(Object.entries(responseHeaders)),
    response_body: responseBody?.length ? shown(responseBody, responseBytes) : null,
  }
}

/** Drops headers and bodies, to bound the memory of a busy server. */
function forget(kept: KeptRequest | undefined): void {
  if (!kept) return
  kept.sentHeaders = undefined
  kept.requestBody = undefined
  kept.responseBody = undefined
}

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
function headerMap(headers: SentHeaders): Map<string, string> {
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

export type RequestIds = ReturnType<typeof createRequestIds>

/** Ids for `X-Request-Id`: a random prefix per server, then a counter, so that ids of different servers differ. */
export function createRequestIds(random: RandomSource) {
  const prefix = `req_${randomText(random, 8)}`
  let count = 0
  return {
    /** Returns the number of the next request, from 1. */
    next: (): number => ++count,
    /** Formats the id of a request. Separate from `next`, since most ids are never shown. */
    textOf: (number: number): string => `${prefix}${number.toString(36).padStart(6, '0')}`,
  }
}
