import type { Answer } from './answer.ts'
import type { OpenEnum, Timestamp } from './open-enum.ts'
import type { ResponseMeta } from './response.ts'

/** A webhook endpoint, without its secret (HOOK-01). */
export interface WebhookEndpoint {
  id: number
  /** At most 500 characters. */
  url: string
  /** `false` while paused. */
  active: boolean
  created_at: Timestamp
}

/** What `POST /forms/{id}/webhooks` returns (HOOK-02). */
export interface CreatedWebhookEndpoint extends WebhookEndpoint {
  /** Starts with `whsec_`. Returned only here: save it. */
  secret: string
}

/** Body of `POST /forms/{id}/webhooks`. */
export interface WebhookCreate {
  url: string
}

/** The documented event types. */
export const EVENT_TYPES = ['response.submitted', 'test.ping'] as const

/** A documented event type. */
export type KnownEventType = (typeof EVENT_TYPES)[number]

/** Type of an event. An unknown string is a type that was added later. */
export type EventType = OpenEnum<KnownEventType>

/** Names of the headers of every delivery, in lower case (DLV-04). */
export const DELIVERY_HEADERS = {
  event: 'x-service-event',
  delivery: 'x-service-delivery',
  timestamp: 'x-service-timestamp',
  signature: 'x-service-signature',
} as const

/** The form of an event. */
export interface EventForm {
  id: string
  title: string
}

/** The response of an event. `id` is 0 in a `test.ping` (DLV-02). */
export interface EventResponse {
  id: number
  submitted_at: Timestamp
  answers: Answer[]
  score: number | null
  max_score: number | null
  meta: ResponseMeta
}

/** JSON body of a delivery (DLV-03). */
export interface WebhookEvent<Type extends string = EventType> {
  event: Type
  form: EventForm
  response: EventResponse
}
