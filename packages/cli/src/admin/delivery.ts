import type { OpenEnum, Timestamp } from '@formwire/contract'

/** One entry of a reference server's delivery log (DLV-07). Unknown members pass through (ENV-04). */
export interface DeliveryEntry {
  /** The value of X-Service-Delivery. */
  id: string
  event: OpenEnum<'response.submitted' | 'test.ping'>
  status: OpenEnum<'pending' | 'delivered' | 'failed'>
  response_id: number | null
  form_id?: string
  webhook_id?: number
  payload: unknown
  /** Null while nothing answered. */
  http_status: number | null
  receiver_answer: string | null
  /** How many attempts were made. */
  attempts: number
  next_attempt_at: Timestamp | null
  note: string | null
  created_at: Timestamp
}

/** One attempt of a delivery. */
interface DeliveryAttempt {
  number: number
  started_at: Timestamp
  duration_ms: number
  http_status: number | null
  error: string | null
  signature?: string
  timestamp?: number
  receiver_answer: string | null
}

/** One entry with its raw body and all its attempts, as `GET /_app/deliveries/{id}` gives it. */
export type DeliveryDetails = Omit<DeliveryEntry, 'attempts'> & {
  attempts: DeliveryAttempt[]
  [member: string]: unknown
}
