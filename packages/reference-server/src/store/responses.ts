import type { KnownResponseStatus } from '@formwire/contract'
import { byNumber, byText, OrderedMap } from '../collections/ordered-map.ts'
import {
  type ResponseFacts,
  type ResponseRecord,
  type ResponseStyle,
  responseFacts,
  writeResponse,
} from '../domain/response.ts'
import type { Page } from './forms.ts'

export interface ResponsesDump {
  readonly responses: readonly ResponseFacts[]
  readonly lastId: number
}

/** Records are their own keys, to save an object per response. */
type ListKey = Pick<ResponseRecord, 'formId' | 'status' | 'at' | 'sequence' | 'id'>

/** Newest first. Of two responses at the same instant the one written later comes first (RESP-01). */
const newestFirst = (a: ListKey, b: ListKey): number =>
  byText(a.formId, b.formId) ||
  byText(a.status, b.status) ||
  b.at - a.at ||
  b.sequence - a.sequence ||
  b.id - a.id

/** Responses and drafts of all forms. Reads and writes are O(log n), whatever the page. */
export class ResponsesTable {
  #byId = new OrderedMap<number, ResponseRecord>(byNumber)
  #listed = new OrderedMap<ListKey, ResponseRecord>(newestFirst)
  #byDraftToken = new OrderedMap<string, number>(byText)
  #lastId = 0
  #lastSequence = 0
  #revision = 0

  /** Grows with every response that is added or replaced. */
  get revision(): number {
    return this.#revision
  }

  /** Yields every response and draft by id. */
  all(): IterableIterator<ResponseRecord> {
    return this.#byId.values()
  }

  /** Returns an id that was never used, not even by a deleted response (RESP-04). */
  nextId(): number {
    return ++this.#lastId
  }

  /** Returns the next position in the order of writing. */
  nextSequence(): number {
    return ++this.#lastSequence
  }

  get(id: number): ResponseRecord | undefined {
    return this.#byId.get(id)
  }

  byDraftToken(token: string): ResponseRecord | undefined {
    // Ids start at 1.
    return this.#byId.get(this.#byDraftToken.get(token) ?? 0)
  }

  /**
   * Returns part of a form's list, newest first. `since` is the earliest submission, or last save of a draft, in
   * milliseconds since the epoch (RESP-02).
   */
  list(
    formId: string,
    status: KnownResponseStatus,
    since: number | undefined,
    from: number,
    count: number,
  ): Page<ResponseRecord> {
    const start = this.#listed.rank({ formId, status, at: Infinity, sequence: Infinity, id: Infinity })
    const oldest = { at: since ?? -Infinity, sequence: -Infinity, id: -Infinity }
    const end = this.#listed.rank({ formId, status, ...oldest })
    const total = end - start
    return { items: this.#listed.slice(start + from, Math.min(count, total - from)), total }
  }

  /** Adds a response or replaces the one with its id. */
  put(response: ResponseRecord): void {
    this.#revision += 1
    const before = this.#byId.set(response.id, response)
    if (before) this.#unlist(before)
    this.#listed.set(response, response)
    if (response.draft) this.#byDraftToken.set(response.draft.token, response.id)
    this.#lastId = Math.max(this.#lastId, response.id)
    this.#lastSequence = Math.max(this.#lastSequence, response.sequence)
  }

  /** Returns the deleted response. */
  delete(id: number): ResponseRecord | undefined {
    const response = this.#byId.delete(id)
    if (response) this.#unlist(response)
    return response
  }

  fork(): ResponsesTable {
    const copy = new ResponsesTable()
    copy.#byId = this.#byId.clone()
    copy.#listed = this.#listed.clone()
    copy.#byDraftToken = this.#byDraftToken.clone()
    copy.#lastId = this.#lastId
    copy.#lastSequence = this.#lastSequence
    return copy
  }

  dump(): ResponsesDump {
    return { responses: Array.from(this.#byId.values(), responseFacts), lastId: this.#lastId }
  }

  static load(dump: ResponsesDump, style: ResponseStyle): ResponsesTable {
    const table = new ResponsesTable()
    for (const facts of dump.responses) {
      // Older snapshots have no sequence and list the responses of an instant by id.
      table.put(writeResponse({ ...facts, sequence: facts.sequence ?? facts.id }, style))
    }
    table.#lastId = Math.max(table.#lastId, dump.lastId)
    return table
  }

  #unlist(response: ResponseRecord): void {
    this.#listed.delete(response)
    if (response.draft) this.#byDraftToken.delete(response.draft.token)
  }
}
