import type { AppliedFault, JournalDetail, JournalEntry } from '@formwire/contract/control'
import type { ApiKey } from '../domain/key.ts'
import { type RandomSource, randomText } from '../random.ts'
import { elapsedMs } from '../real-timers.ts'
import { JOURNAL_MESSAGES_MAX } from '../resource-limits.ts'
import type { ApiRequestInfo } from './api.ts'
import { describeMessages, KeptMessages, type RecordedMessage } from './journal-messages.ts'
import { withoutSecrets } from './masked.ts'
import type { IncomingMessage, OutgoingMessage } from './message.ts'

/** What is kept of a request; its entry is created when the journal is read. */
class KeptRequest {
  requestNumber = 0
  receivedAt = 0
  method = ''
  path = ''
  query = ''
  /** Whether a secret of the path or the query was left out. */
  isMasked = false
  status = 0
  key: ApiKey | undefined = undefined
  address = ''
  /** Empty without the header. */
  userAgent = ''
  /** JSON body of an error, read when the journal is. Empty for a success. */
  errorBody = ''
  durationMs = 0
  fault: AppliedFault | undefined = undefined
}

/** A longer body is not that of an error of the API, but one that a fault injects. */
const ERROR_BODY_MAX = 4_000

/** A request that the demo shows but no client sent. */
export interface JournalHistory {
  readonly request: Pick<
    IncomingMessage,
    'method' | 'path' | 'query' | 'headers' | 'address' | 'sentHeaders' | 'bodyStart' | 'replay'
  >
  readonly key: ApiKey | undefined
  readonly response: Pick<OutgoingMessage, 'status' | 'headers' | 'body' | 'byteLength' | 'start'>
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  readonly durationMs: number
}

/** The latest API requests. Drops the oldest beyond its capacity. */
export class Journal {
  readonly #capacity: number
  readonly #requestIds: RequestIds
  /** A ring buffer of reused objects: new ones would live long enough to be expensive to collect. */
  readonly #entries: KeptRequest[] = []
  /** Another one, of the latest requests. */
  readonly #messages: KeptMessages[] = []
  #count = 0
  /** Number of entries of the demo's history, which come first. */
  #history = 0
  /** The revision when the journal was last cleared. */
  #cleared = 0

  constructor(requestIds: RequestIds, capacity = 1000) {
    this.#requestIds = requestIds
    this.#capacity = capacity
  }

  add(
    request: JournalHistory['request'],
    { requestNumber, receivedAt, key, startedMs, fault }: ApiRequestInfo,
    response: JournalHistory['response'],
  ): void {
    const { status, body } = response
    const at = this.#count % this.#capacity
    this.#count += 1
    this.#entries[at] ??= new KeptRequest()
    const entry = this.#entries[at]
    entry.requestNumber = requestNumber
    entry.receivedAt = receivedAt
    entry.method = withoutSecrets(request.method)
    entry.path = withoutSecrets(request.path)
    entry.query = withoutSecrets(request.query)
    entry.isMasked = entry.path !== request.path || entry.query !== request.query
    entry.status = status
    entry.key = key
    entry.address = request.address
    entry.userAgent = withoutSecrets(request.headers.get('user-agent') ?? '')
    entry.errorBody = status >= 400 && typeof body === 'string' && body.length <= ERROR_BODY_MAX ? body : ''
    entry.durationMs = elapsedMs() - startedMs
    entry.fault = fault
    const latest = this.#count % JOURNAL_MESSAGES_MAX
    this.#messages[latest] ??= new KeptMessages()
    this.#messages[latest].keep(request, response)
    if (request.replay) request.replay.number = this.#count
  }

  /** Adds requests of the demo's history, oldest first. Does nothing after the first request was received. */
  addHistory(requests: readonly JournalHistory[]): void {
    if (this.#count > 0) return
    for (const { request, key, response, receivedAt, durationMs } of requests) {
      const startedMs = elapsedMs() - durationMs
      const requestNumber = this.#requestIds.next()
      this.add(request, { requestNumber, receivedAt, key, startedMs, fault: undefined }, response)
    }
    this.#history = this.#count
  }

  /** Returns the entries, newest first. */
  list(): JournalEntry[] {
    return this.#after(0)
  }

  /** Returns the requests that this server received, newest first: the entries without the demo's history. */
  received(): JournalEntry[] {
    return this.#after(this.#history)
  }

  /** Returns a request by its number or its id, with headers and bodies. */
  get(id: string): JournalDetail | undefined {
    const found = this.#find(id)
    return (
      found && {
        ...this.#show(found.number, found.kept),
        ...describeMessages(found.messages, found.kept.key),
      }
    )
  }

  /** Returns a request to send it again, by its number or its id. */
  toReplay(id: string): RecordedMessage | undefined {
    const found = this.#find(id)
    if (!found) return undefined
    const { method, path, query, isMasked, key, fault } = found.kept
    return { method, path, query, isMasked, key, fault, ...found.messages?.request() }
  }

  #find(id: string) {
    const oldest = Math.max(0, this.#count - this.#capacity)
    for (let number = this.#count; number > oldest; number -= 1) {
      const kept = this.#entries[(number - 1) % this.#capacity] as KeptRequest
      if (id !== String(number) && id !== this.#requestIds.textOf(kept.requestNumber)) continue
      const isLatest = number > this.#count - JOURNAL_MESSAGES_MAX
      const messages = isLatest ? this.#messages[number % JOURNAL_MESSAGES_MAX] : undefined
      return { number, kept, messages: messages?.isKept ? messages : undefined }
    }
    return undefined
  }

  #after(first: number): JournalEntry[] {
    const entries: JournalEntry[] = []
    for (let i = this.#count - 1; i >= Math.max(first, this.#count - this.#capacity); i -= 1) {
      entries.push(this.#show(i + 1, this.#entries[i % this.#capacity] as KeptRequest))
    }
    return entries
  }

  /** Grows with every request and when the journal is cleared. */
  get revision(): number {
    return this.#cleared + this.#count
  }

  clear(): void {
    this.#cleared = this.revision + 1
    this.#entries.length = 0
    this.#messages.length = 0
    this.#count = 0
    this.#history = 0
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
