import type { EventForm, EventResponse, EventType } from '@formwire/contract'
import { signWebhook } from '../sign.ts'
import type { SignedHeaders } from '../signed-delivery.ts'
import {
  type LambdaTestEvent,
  type RequestFacts,
  type TestIncomingMessage,
  toIncomingMessage,
  toLambdaEvent,
  toRequest,
} from './requests.ts'
import { TAMPERINGS, type Tampering } from './tamperings.ts'

/** What {@link createDelivery} may be told; everything has a default. */
export interface DeliveryOptions {
  /** The endpoint's secret. @default 'whsec_test' */
  secret?: string | undefined
  /** @default 'response.submitted' */
  event?: EventType | undefined
  /** Form and response. @default {@link examplePayload} */
  payload?: { form: EventForm; response: EventResponse } | undefined
  /** @default a random UUID */
  deliveryId?: string | undefined
  /** When it is signed: a `Date` or Unix seconds. @default the system clock */
  timestamp?: Date | number | undefined
}

/** A delivery in every shape in which a receiver may meet it. */
export interface TestDelivery {
  readonly secret: string
  readonly deliveryId: string
  readonly timestampSeconds: number
  /** A plain object, as the service spells the names. */
  readonly headers: SignedHeaders
  readonly body: string
  /** For receivers that take the fetch standard's `Request`. */
  toRequest(url?: string): Request
  /** For receivers that take Node's request. */
  toIncomingMessage(path?: string): TestIncomingMessage
  /** For Lambda functions behind API Gateway. @default version '2.0', text */
  toLambdaEvent(options?: { version?: '1.0' | '2.0'; base64?: boolean }): LambdaTestEvent
  /** The next attempt of the same delivery: same id and bytes, new timestamp and signature (DLV-06). */
  retry(timestamp: Date | number): TestDelivery
  /** A replay from the app: same content under a new delivery id (DLV-08). */
  replay(options?: { deliveryId?: string; timestamp?: Date | number }): TestDelivery
  /** The same bytes and signature under another delivery id, as an attacker can send them: the id is not signed. */
  forgeDeliveryId(deliveryId: string): TestDelivery
  /** A spoilt variant by name; `TAMPERINGS` lists them with the code that each must be refused with. */
  tamper(name: Tampering): SpoiltDelivery
}

/** A spoilt delivery in the same shapes. */
export interface SpoiltDelivery {
  /** `[name, value]` pairs, so that a header can be there twice. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: string | Uint8Array
  toRequest(url?: string): Request
  toIncomingMessage(path?: string): TestIncomingMessage
  toLambdaEvent(options?: { version?: '1.0' | '2.0'; base64?: boolean }): LambdaTestEvent
}

const EXAMPLE_URL = 'https://receiver.example/webhooks'

/** A form with one answered question; members given replace those of the response. */
export function examplePayload(response: Partial<EventResponse> = {}): {
  form: EventForm
  response: EventResponse
} {
  return {
    form: { id: 'Fm3xAmpLe0Id', title: 'Customer survey' },
    response: {
      id: 4711,
      submitted_at: '2026-11-21T09:30:00.000Z',
      answers: [{ question_id: 'q_1', title: 'How was it?', type: 'rating', value: 5, text: '5' }],
      score: null,
      max_score: null,
      meta: { device: 'desktop', utm: { source: 'newsletter' } },
      ...response,
    },
  }
}

/** A delivery, signed as the service signs it. */
export function createDelivery(options: DeliveryOptions = {}): TestDelivery {
  const { secret = 'whsec_test', event = 'response.submitted', payload = examplePayload() } = options
  const { deliveryId, timestamp } = options
  const signed = signWebhook({ secret, event, payload, deliveryId, timestamp })
  const { headers, body } = signed
  const again = (changes: DeliveryOptions) =>
    createDelivery({ secret, event, payload, deliveryId: headers['X-Service-Delivery'], ...changes })
  const seconds = Number(headers['X-Service-Timestamp'])
  return {
    secret,
    deliveryId: headers['X-Service-Delivery'],
    timestampSeconds: seconds,
    headers,
    body,
    ...shapes({ headers: Object.entries(headers), body }),
    retry: (newTimestamp) => again({ timestamp: newTimestamp }),
    replay: (changes = {}) => again({ deliveryId: undefined, timestamp: seconds, ...changes }),
    forgeDeliveryId: (forged) => again({ deliveryId: forged, timestamp: seconds }),
    tamper(name) {
      const spoilt = TAMPERINGS[name].spoil({
        secret,
        headers: Object.entries(headers),
        body,
        timestampSeconds: seconds,
      })
      return { headers: spoilt.headers, body: spoilt.body, ...shapes(spoilt) }
    },
  }
}

function shapes(
  facts: RequestFacts,
): Pick<SpoiltDelivery, 'toRequest' | 'toIncomingMessage' | 'toLambdaEvent'> {
  return {
    toRequest: (url = EXAMPLE_URL) => toRequest(facts, url),
    toIncomingMessage: (path = new URL(EXAMPLE_URL).pathname) => toIncomingMessage(facts, path),
    toLambdaEvent: (options) => toLambdaEvent(facts, options),
  }
}
