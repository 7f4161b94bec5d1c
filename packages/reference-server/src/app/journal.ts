import { type ApiKey, prefixOf } from '../domain/key.ts'
import type { ApiVisit } from '../http/api.ts'
import type { IncomingMessage } from '../http/message.ts'
import type { RequestIds } from '../http/request-ids.ts'

/** One API request as `GET /_app/requests` shows it. Of the key only its prefix is kept. */
export interface JournalEntry {
  /** Counted from 1 since the start or the last reset. */
  readonly number: number
  /** `X-Request-Id` of the answer. */
  readonly request_id: string
  readonly received_at: string
  readonly method: string
  readonly path: string
  readonly query: string
  readonly status: number
  readonly key_id: number | null
  readonly key_prefix: string | null
  readonly address: string
  readonly user_agent: string | null
}

/** What is kept of a request: what it takes to write its entry when somebody asks. */
interface KeptRequest {
  requestNumber: number
  receivedAt: number
  method: string
  path: string
  query: string
  status: number
  key: ApiKey | undefined
  address: string
  userAgent: string | undefined
}

/** The latest API requests, newest first when read. Bounded: the oldest makes room. */
export class Journal {
  readonly #capacity: number
  readonly #requestIds: RequestIds
  /** Written over in turn: new objects for each request would be old by the time they are dropped, and costly to collect. */
  readonly #entries: KeptRequest[] = []
  #count = 0

  constructor(requestIds: RequestIds, capacity = 1000) {
    this.#requestIds = requestIds
    this.#capacity = capacity
  }

  add(request: IncomingMessage, { requestNumber, receivedAt, key }: ApiVisit, status: number): void {
    const { method, address } = request
    const path = withoutKeys(request.path)
    const query = withoutKeys(request.query)
    const userAgent = request.headers.get('user-agent')
    const at = this.#count % this.#capacity
    this.#count += 1
    const entry = this.#entries[at]
    if (!entry) {
      const kept = { requestNumber, receivedAt, method, path, query, status, key, address, userAgent }
      if (this.#capacity > 0) this.#entries[at] = kept
      return
    }
    entry.requestNumber = requestNumber
    entry.receivedAt = receivedAt
    entry.method = method
    entry.path = path
    entry.query = query
    entry.status = status
    entry.key = key
    entry.address = address
    entry.userAgent = userAgent
  }

  /** Newest first. */
  list(): JournalEntry[] {
    const entries: JournalEntry[] = []
    for (let i = this.#count - 1; i >= Math.max(0, this.#count - this.#capacity); i -= 1) {
      entries.push(this.#show(i + 1, this.#entries[i % this.#capacity] as KeptRequest))
    }
    return entries
  }

  clear(): void {
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
      user_agent: kept.userAgent ?? null,
      received_at: new Date(kept.receivedAt).toISOString(),
    }
  }
}

/** A key in a url is no credential (AUTH-02), but it is one all the same: only its prefix is kept. */
function withoutKeys(text: string): string {
  return text.includes('svc_') ? text.replace(/svc_[0-9A-Za-z]+/g, (key) => `${prefixOf(key)}…`) : text
}
