import type { EventForm, EventResponse, EventType } from '@formwire/contract'
import { type Given, given } from '@formwire/internal/given'
import { checkOptions } from '../verification/check-options.ts'
import { signWebhook } from '../verification/hmac.ts'
import { SIGN_OPTIONS, type SignedHeaders } from '../verification/signed-delivery.ts'
import {
  EXAMPLE_PATH,
  type LambdaTestEvent,
  type RequestParts,
  type TestIncomingMessage,
  toIncomingMessage,
  toLambdaEvent,
  toRequest,
} from './requests.ts'
import { TAMPERINGS, type Tampering } from './tamperings.ts'

/** Options of {@link createDelivery}. */
export interface DeliveryOptions {
  /** The endpoint's secret. @default 'whsec_test' */
  secret?: string | undefined
  /** @default 'response.submitted' */
  event?: EventType | undefined
  /** Form and response. @default {@link examplePayload} */
  payload?: { form: EventForm; response: EventResponse } | undefined
  /** @default a random UUID */
  deliveryId?: string | undefined
  /** Time of the signature: a `Date` or Unix seconds. @default the system clock */
  timestamp?: Date | number | undefined
}

/** A delivery as requests of different runtimes. */
interface RequestForms {
  /** For receivers that accept a fetch `Request`. */
  toRequest(url?: string): Request
  /** For receivers that accept an `http.IncomingMessage`. */
  toIncomingMessage(path?: string): TestIncomingMessage
  /** For Lambda functions behind API Gateway. @default version '2.0', body as text */
  toLambdaEvent(options?: {
    version?: '1.0' | '2.0' | undefined
    base64?: boolean | undefined
  }): LambdaTestEvent
}

/**
 * A signed delivery in every form that a receiver accepts.
 * @example
 * const event = verifyWebhook({ ...createDelivery() })
 */
export interface TestDelivery extends RequestForms {
  readonly secret: string
  readonly deliveryId: string
  readonly timestampSeconds: number
  /** A plain object with the names as the service spells them. */
  readonly headers: SignedHeaders
  readonly body: string
  /** Returns the next attempt: same id and bytes, new timestamp and signature (DLV-06). */
  retry(timestamp: Date | number): TestDelivery
  /** Returns a replay from the app: same content, new delivery id (DLV-08). */
  replay(options?: Pick<DeliveryOptions, 'deliveryId' | 'timestamp'>): TestDelivery
  /** Returns the same bytes and signature under another delivery id. An attacker can send this, since the id is not signed. */
  forgeDeliveryId(deliveryId: string): TestDelivery
  /** Returns a tampered variant. `TAMPERINGS` lists the names and the error code of each. */
  tamper(name: Tampering): TamperedDelivery
}

/** A delivery that must not verify. */
export interface TamperedDelivery extends RequestForms {
  /** `[name, value]` pairs, so that a header can occur twice. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: string | Uint8Array
}

const EXAMPLE_URL = `https://receiver.example${EXAMPLE_PATH}`

/** Returns a form and a response with one answer. `response` overrides members of the response. */
export function examplePayload(response: Given<EventResponse> = {}): {
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
      ...given(response),
    },
  }
}

/**
 * Creates a delivery, signed as the service signs it.
 * @example
 * const delivery = createDelivery({ secret: 'whsec_test', payload: examplePayload({ id: 7 }) })
 * const response = await receive(delivery.toRequest())
 */
export function createDelivery(options: DeliveryOptions = {}): TestDelivery {
  checkOptions(options, SIGN_OPTIONS)
  const { secret = 'whsec_test', event = 'response.submitted', payload = examplePayload() } = options
  const { deliveryId, timestamp } = options
  const signed = signWebhook({ secret, event, payload, deliveryId, timestamp })
  const { headers, body } = signed
  const again = (changes: DeliveryOptions) => createDelivery({ secret, event, payload, ...given(changes) })
  const seconds = Number(headers['X-Service-Timestamp'])
  const members: Omit<TestDelivery, 'secret' | 'headers' | 'body'> = {
    deliveryId: headers['X-Service-Delivery'],
    timestampSeconds: seconds,
    ...requestForms({ headers: Object.entries(headers), body }),
    retry: (newTimestamp) => again({ deliveryId: headers['X-Service-Delivery'], timestamp: newTimestamp }),
    replay: (changes = {}) => again({ timestamp: seconds, ...given(changes) }),
    forgeDeliveryId: (forged) => again({ deliveryId: forged, timestamp: seconds }),
    tamper(name) {
      const tampered = TAMPERINGS[name].tamper({
        secret,
        headers: Object.entries(headers),
        body,
        timestampSeconds: seconds,
      })
      return spreadable({ headers: tampered.headers, body: tampered.body }, requestForms(tampered))
    },
  }
  return spreadable({ secret, headers, body }, members)
}

/** Keeps only options of `verifyWebhook` as own properties, so that a delivery can be spread into them. */
function spreadable<Options extends object, Members extends object>(
  options: Options,
  members: Members,
): Options & Members {
  return Object.assign(Object.create(members), options)
}

function requestForms(parts: RequestParts): RequestForms {
  return {
    toRequest: (url = EXAMPLE_URL) => toRequest(parts, url),
    toIncomingMessage: (path = EXAMPLE_PATH) => toIncomingMessage(parts, path),
    toLambdaEvent: (options) => toLambdaEvent(parts, options),
  }
}
