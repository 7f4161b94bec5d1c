import { prefixOf } from '../domain/key.ts'
import type { IncomingMessage } from '../http/message.ts'

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

interface KeptRequest extends Omit<JournalEntry, 'received_at'> {
  readonly receivedAt: number
}

/** The latest API requests, newest first when read. Bounded: the oldest makes room. */
export class Journal {
  readonly #capacity: number
  readonly #entries: KeptRequest[] = []
  #count = 0

  constructor(capacity = 1000) {
    this.#capacity = capacity
  }

  add(
    request: IncomingMessage,
    facts: {
      requestId: string
      receivedAt: number
      status: number
      keyId: number | null
      keyPrefix: string | null
    },
  ): void {
    this.#entries[this.#count % this.#capacity] = {
      number: this.#count + 1,
      request_id: facts.requestId,
      receivedAt: facts.receivedAt,
      method: request.method,
      path: withoutKeys(request.path),
      query: withoutKeys(request.query),
      status: facts.status,
      key_id: facts.keyId,
      key_prefix: facts.keyPrefix,
      address: request.address,
      user_agent: request.headers.get('user-agent') ?? null,
    }
    this.#count += 1
  }

  /** Newest first. */
  list(): JournalEntry[] {
    const entries: JournalEntry[] = []
    for (let i = this.#count - 1; i >= Math.max(0, this.#count - this.#capacity); i -= 1) {
      const { receivedAt, ...entry } = this.#entries[i % this.#capacity] as KeptRequest
      entries.push({ ...entry, received_at: new Date(receivedAt).toISOString() })
    }
    return entries
  }

  clear(): void {
    this.#entries.length = 0
    this.#count = 0
  }
}

/** A key in a url is no credential (AUTH-02), but it is one all the same: only its prefix is kept. */
function withoutKeys(text: string): string {
  return text.includes('svc_') ? text.replace(/svc_[0-9A-Za-z]+/g, (key) => `${prefixOf(key)}…`) : text
}
