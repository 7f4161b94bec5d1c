import { randomInt } from 'node:crypto'
import type { EventForm, EventResponse } from '@formwire/contract'
import { hmacHex } from '../../verification/hmac.ts'
import { signWebhook } from '../../verification/sign.ts'
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

/** A response of the receiver. */
export interface Reply {
  status: number
  /** Resolves to the start of the body. Never rejects. */
  start?: () => Promise<string>
}

/** The JSON of a delivery. */
interface Payload {
  event: string
  form: EventForm
  response: EventResponse
}

/** A genuine delivery, which each check changes in one thing. */
export interface GenuineDelivery extends Subject {
  payload: Payload
}

/** Headers that the service sends with every delivery, besides its own. */
const SERVICE_HEADERS = [
  ['Accept', '*/*'],
  ['Accept-Encoding', 'identity'],
  ['User-Agent', 'Formwire-Webhooks/1'],
] as const

/** Creates genuine deliveries: ASCII only, each of a response with a new id. */
export class DeliverySource {
  readonly secret: string
  readonly #now: () => number
  // Random, since a receiver may remember the responses of an earlier run; small enough for a 32-bit column.
  #nextId = randomInt(1_000_000_000, 2_000_000_000)

  constructor(secret: string, now: () => number) {
    this.secret = secret
    this.#now = now
  }

  /** Returns a delivery of a new response, signed now or some seconds ago. */
  next(ageSeconds = 0): GenuineDelivery {
    const nowMs = this.#now()
    const payload: Payload = {
      event: 'response.submitted',
      form: { id: 'CheckForm001', title: 'Receiver check' },
      response: {
        id: this.#nextId++,
        submitted_at: new Date(nowMs).toISOString(),
        answers: [
          { question_id: 'q_1', title: 'How was it?', type: 'rating', value: 5, text: '5' },
          { question_id: 'q_2', title: 'Why?', type: 'long_text', value: 'Fast', text: 'Fast' },
        ],
        score: null,
        max_score: null,
        meta: { device: 'desktop', utm: { source: 'newsletter' } },
      },
    }
    return this.#deliver(payload, Math.floor(nowMs / 1000) - ageSeconds)
  }

  /** Returns a delivery of the same response with a new delivery id, signed a second later. */
  again({ payload, timestampSeconds }: GenuineDelivery): GenuineDelivery {
    return this.#deliver(payload, timestampSeconds + 1)
  }

  #deliver(payload: Payload, timestampSeconds: number): GenuineDelivery {
    const { event, form, response } = payload
    const { headers, body } = signWebhook({
      secret: this.secret,
      event,
      payload: { form, response },
      timestamp: timestampSeconds,
    })
    return {
      secret: this.secret,
      payload,
      timestampSeconds,
      headers: [...SERVICE_HEADERS, ...Object.entries(headers)],
      body,
    }
  }
}

/** Returns the delivery with another body and its signature. */
export function withBody({ secret, timestampSeconds, headers }: GenuineDelivery, body: string): Probe {
  const signature = `sha256=${hmacHex(secret, String(timestampSeconds), body)}`
  return {
    headers: headers.map(([name, value]) => [name, name === 'X-Service-Signature' ? signature : value]),
    body,
  }
}
