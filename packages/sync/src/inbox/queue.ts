import type { SyncedResponse } from '../options.ts'

/** How a response arrived. */
export interface Arrival {
  /** Whether a delivery brought the response, or the poll found it. */
  source: 'webhook' | 'poll'
}

/** A response, by the ids under which it is queued. */
export interface ResponseKey {
  workspace_id: string
  form_id: string
  response_id: number
}

/** What became of a queued response. `dead` ones failed as often as the queue allows. */
export type QueueState = 'pending' | 'active' | 'handled' | 'dead'

/** A response of a queue, without what the respondent wrote. */
export interface QueuedResponse extends ResponseKey {
  /** Id in the queue. */
  id: string
  state: QueueState
  source: Arrival['source']
  /** Attempts that were made. */
  attempts: number
  /** When it was stored, in ISO 8601. */
  queued_at: string
  /** When it was handled, or failed for the last time. */
  ended_at: string | null
  /** The error of the last attempt that failed. */
  error: string | null
}

/** A response that a worker has taken. Until it is completed or failed, no other worker gets it, as long as it is renewed. */
export interface TakenResponse {
  response: SyncedResponse
  source: Arrival['source']
  /** Number of this attempt, from 1. */
  attempt: number
  /** Whether this is the last attempt. */
  isLast: boolean
  renew(): Promise<void>
  complete(): Promise<void>
  /** Ends the attempt: the response is handled again later, or is dead. */
  fail(error: unknown): Promise<void>
}

/**
 * Keeps the responses of an inbox until they are handled, each once. Create one with `postgresQueue()`. Its methods are for the inbox
 * and for tools; a program that receives, polls or handles needs `close()` only.
 */
export interface InboxQueue {
  /** Milliseconds for which a response is remembered after it was handled. */
  readonly keepMs: number
  /** Milliseconds after which the response of a worker that died goes to another one. */
  readonly leaseMs: number
  /** Returns whether the queue was created, which the first response that is stored or taken does. */
  exists(): Promise<boolean>
  /** Stores a response, unless it is or was there. Returns whether it is new. */
  add(key: ResponseKey, response: SyncedResponse, source: Arrival['source']): Promise<boolean>
  /** Returns whether a delivery of the response was stored. */
  wasDelivered(key: ResponseKey): Promise<boolean>
  /** Takes up to `count` responses that are due. */
  take(count: number): Promise<TakenResponse[]>
  /** Lists responses in a state, oldest first. @param limit @default all */
  list(state: QueueState, limit?: number): Promise<QueuedResponse[]>
  /** Returns a response with its payload, or undefined if there is none with this id. */
  get(id: string): Promise<{ queued: QueuedResponse; response: SyncedResponse } | undefined>
  /** Queues dead responses again, with all attempts. Returns how many of the ids were dead. */
  retry(ids: readonly string[]): Promise<number>
  /** Removes dead responses with their payload. They are not handled. Returns how many of the ids were dead. */
  drop(ids: readonly string[]): Promise<number>
  /** Ends its connections. */
  close(): Promise<void>
}
