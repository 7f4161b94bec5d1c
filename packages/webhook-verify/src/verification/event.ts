import type { EventForm, EventResponse } from '@formwire/contract'

interface VerifiedBase {
  /**
   * `X-Service-Delivery`, or `null` when the header is missing. Not signed: an attacker who captured a delivery can
   * resend it under another id within the tolerance.
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

/** Someone sent a test event from the app: one example answer, response id 0 (DLV-02). */
export interface TestPingEvent extends VerifiedBase {
  type: 'test.ping'
  form: EventForm
  response: EventResponse
}

/**
 * The name of an event type that a later version of the service added: a plain string at run time. An enum, which exists in types only, is never
 * equal to a documented name, so comparing `type` with one narrows the event.
 */
export declare enum UnknownEventType {
  name = 'the name of an event type that a later version of the service added',
}

/** An event of a type that this version does not know. It is signed like the others; validate its content yourself. */
export interface UnknownEvent extends VerifiedBase {
  type: UnknownEventType
  form: unknown
  response: unknown
  /** The whole JSON body. */
  payload: Record<string, unknown>
}

/** A verified delivery. Comparing `type` with a documented type narrows `form` and `response`. */
export type VerifiedEvent = ResponseSubmittedEvent | TestPingEvent | UnknownEvent
