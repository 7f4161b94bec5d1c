import { randomInt } from 'node:crypto'
import type { EventForm, EventResponse } from '@formwire/contract'
import { signWebhook } from '../../verification/hmac.ts'
import { examplePayload } from '../delivery.ts'
import type { Subject } from '../edit-delivery.ts'
import type { RequestParts } from '../requests.ts'

/** A request to the receiver. */
export interface Probe extends RequestParts {
  body: string
  /** @default 'POST' */
  method?: 'POST' | 'PUT'
  /** Sends the body in chunks, without its length. */
  chunked?: boolean
}

/** Bytes of a response body that are read for an excerpt. */
export const EXCERPT_BYTES = 1_024

/** A response of the receiver. */
export interface Reply {
  status: number
  /** Resolves to the start of the body. Never rejects. */
  start?: () => Promise<string>
}

/** A genuine delivery, which each check changes in one thing. */
export interface GenuineDelivery extends Subject {
  /** The JSON of its body. */
  payload: { event: string; form: EventForm; response: EventResponse }
}

/** Headers that the service sends with every delivery, besides its own. */
const SERVICE_HEADERS = [
  ['Accept', '*/*'],
  ['Accept-Encoding', 'identity'],
  ['User-Agent', 'Formwire-Webhooks/1'],
] as const

/** Returns a genuine delivery of a new response, signed now or some seconds ago. */
export type NextDelivery = (ageSeconds?: number) => GenuineDelivery

/** Creates genuine deliveries: ASCII only, each of a response with a new id. */
export function deliverySource(secret: string, now: () => number): NextDelivery {
  // Random, since a receiver may remember the responses of an earlier run; small enough for a 32-bit column.
  let nextId = randomInt(1_000_000_000, 2_000_000_000)
  return (ageSeconds = 0) => {
    const nowMs = now()
    const { response } = examplePayload({
      id: nextId++,
      submitted_at: new Date(nowMs).toISOString(),
      answers: [
        { question_id: 'q_1', title: 'How was it?', type: 'rating', value: 5, text: '5' },
        { question_id: 'q_2', title: 'Why?', type: 'long_text', value: 'Fast', text: 'Fast' },
      ],
    })
    const payload = {
      event: 'response.submitted',
      form: { id: 'CheckForm001', title: 'Receiver check' },
      response,
    }
    const timestampSeconds = Math.floor(nowMs / 1000) - ageSeconds
    const { headers, body } = signWebhook({
      secret,
      event: payload.event,
      payload,
      timestamp: timestampSeconds,
    })
    return {
      secret,
      payload,
      timestampSeconds,
      headers: [...SERVICE_HEADERS, ...Object.entries(headers)],
      body,
    }
  }
}
