import type { KnownResponseStatus } from '@formwire/contract'
import { byText } from '../collections/ordered-map.ts'
import {
  type ResponseFacts,
  type ResponseRecord,
  type ResponseStyle,
  responseFacts,
  writeResponse,
} from '../domain/response.ts'
import { Index, type Page, Table } from './table.ts'

export interface ResponsesDump {
  readonly responses: readonly ResponseFacts[]
  readonly lastId: number
}

type ListKey = Pick<ResponseRecord, 'formId' | 'status' | 'at' | 'sequence' | 'id'>
type DraftKey = { readonly draft: Pick<NonNullable<ResponseRecord['draft']>, 'token'> | null }

/** Newest first. Of two responses at the same instant the one written later comes first (RESP-01). */
const newestFirst = (a: ListKey, b: ListKey): number =>
  byText(a.formId, b.formId) ||
  byText(a.status, b.status) ||
  b.at - a.at ||
  b.sequence - a.sequence ||
  b.id - a.id

/** Responses and drafts of all forms. */
export class ResponsesTable extends Table<ResponseRecord> {
  protected listed = new Index<ResponseRecord, ListKey>(newestFirst)
  protected drafts = new Index<ResponseRecord, DraftKey>(
    (a, b) => byText(a.draft?.token ?? '', b.draft?.token ?? ''),
    ({ draft }) => draft !== null,
  )
  protected lastSequence = 0

  /** Returns the next position in the order of writing. */
  nextSequence(): number {
    return ++this.lastSequence
  }

  byDraftToken(token: string): ResponseRecord | undefined {
    return this.drafts.get({ draft: { token } })
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
    const newest = { formId, status, at: Infinity, sequence: Infinity, id: Infinity }
    const oldest = { formId, status, at: since ?? -Infinity, sequence: -Infinity, id: -Infinity }
    return this.listed.page(newest, oldest, from, count)
  }

  override put(response: ResponseRecord): ResponseRecord | undefined {
    this.lastSequence = Math.max(this.lastSequence, response.sequence)
    return super.put(response)
  }

  dump(): ResponsesDump {
    return { responses: this.all().map(responseFacts), lastId: this.lastId }
  }

  load({ responses, lastId }: ResponsesDump, style: ResponseStyle): this {
    // Older snapshots have no sequence and list the responses of an instant by id.
    for (const facts of responses)
      this.put(writeResponse({ ...facts, sequence: facts.sequence ?? facts.id }, style))
    return this.putAll([], lastId)
  }
}
