import type { EventForm, EventResponse } from '@formwire/contract'

interface VerifiedBase {
  /**
   * `X-Service-Delivery`, or `null` when the header is missing. NOT signed: an attacker who saw one delivery can send it
   * again, within the tolerance, under another id.
   */
  deliveryId: string | null
  /** When this attempt was signed (signed, DLV-04). */
  timestamp: Date
}

/** Someone submitted a response (DLV-01). */
export interface ResponseSubmittedEvent extends VerifiedBase {
  type: 'response.submitted'
  form: EventForm
  response: EventResponse
}

/** Someone chose "Send test event" in the app: one example answer, response id 0 (DLV-02). */
export interface TestPingEvent extends VerifiedBase {
  type: 'test.ping'
  form: EventForm
  response: EventResponse
}

/** Exists in types only. An enum, since no documented name compares equal to it: that is what lets `type` narrow. */
declare enum LaterKind {
  name = 'the name of an event kind that a later version of the service added',
}

/** The name of an event kind that a later version of the service added: a plain string at run time. */
export type UnknownEventType = LaterKind

/** An event of a kind that this version does not know: signed like the others, its content is yours to check. */
export interface UnknownEvent extends VerifiedBase {
  type: UnknownEventType
  form: unknown
  response: unknown
  /** The whole JSON body. */
  payload: Record<string, unknown>
}

/** A verified delivery. Comparing `type` with a documented kind narrows `form` and `response`. */
export type VerifiedEvent = ResponseSubmittedEvent | TestPingEvent | UnknownEvent
