import type { IncomingHttpHeaders } from 'node:http'
import { DELIVERY_HEADERS, type WebhookEvent } from '@formwire/contract'
import { isObjectOrArray, parseJson } from '@formwire/internal/json'
import { tryVerifyWebhook, verificationOf } from '@formwire/webhook-verify'
import { describeNearest, matches as fits, type MatchOf } from '../matching/match.ts'

/** One request that a mock receiver received. */
export interface ReceivedDelivery {
  /** The `X-Service-Delivery` header; empty if missing. */
  readonly id: string
  /** Number of the attempt of this delivery id, from 1. */
  readonly attempt: number
  /** The `X-Service-Event` header; empty if missing. */
  readonly event: string
  /** The `X-Service-Timestamp` header in seconds; `NaN` if missing. */
  readonly timestamp: number
  /** The `X-Service-Signature` header; empty if missing. */
  readonly signature: string
  readonly method: string
  /** Path and query as sent. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The body, byte for byte. */
  readonly rawBody: Buffer
  /** The body as JSON; `null` if it is not a JSON object. */
  readonly payload: WebhookEvent | null
  /** Whether the signature matches any of the secrets; `null` if the receiver has no secret. */
  readonly verified: boolean | null
  /** Index of the matching secret; `null` if none matches. */
  readonly secretIndex: number | null
  /** Code of the verification error; `null` if there is none. */
  readonly verificationError: string | null
  /** Status of the response that the receiver sends; `null` if it sends none. */
  readonly status: number | null
}

type RawRequest = Pick<ReceivedDelivery, 'method' | 'path' | 'headers' | 'rawBody'>

/** How signatures are verified. */
export interface Verification {
  /** An empty list turns verification off. */
  readonly secrets: readonly string[]
  /** Oldest signature accepted, in seconds. @default Infinity */
  readonly toleranceSeconds: number
  readonly now: () => Date | number
}

/** Describes a request and verifies it if there is a secret. */
export function describeRequest(
  request: RawRequest,
  attempt: number,
  verification: Verification,
): Omit<ReceivedDelivery, 'status'> {
  const { headers, rawBody } = request
  const payload = parseJson(rawBody.toString())
  return {
    ...request,
    id: textOf(headers, DELIVERY_HEADERS.delivery),
    attempt,
    event: textOf(headers, DELIVERY_HEADERS.event),
    timestamp: Number(textOf(headers, DELIVERY_HEADERS.timestamp) || Number.NaN),
    signature: textOf(headers, DELIVERY_HEADERS.signature),
    payload: (isObjectOrArray(payload) ? payload : null) as WebhookEvent | null,
    ...verify(request, verification),
  }
}

function verify({ headers, rawBody }: RawRequest, { secrets, toleranceSeconds, now }: Verification) {
  if (secrets.length === 0) return { verified: null, secretIndex: null, verificationError: null }
  const result = tryVerifyWebhook({ secret: [...secrets], headers, body: rawBody, toleranceSeconds, now })
  return result.ok
    ? {
        verified: true,
        secretIndex: verificationOf(result.event)?.secretIndex ?? null,
        verificationError: null,
      }
    : { verified: false, secretIndex: null, verificationError: result.error.code }
}

const textOf = (headers: IncomingHttpHeaders, name: string): string => String(headers[name] ?? '')

/** What to wait for: a number of deliveries, a delivery that a predicate accepts, or one with these members. */
export type Match = number | ((delivery: ReceivedDelivery) => boolean) | MatchMembers

/**
 * Expected members, at any depth. Members that are not listed are ignored; regular expressions, functions, arrays and asymmetric matchers mean the same as in
 * {@link MatchOf}.
 */
export type MatchMembers = {
  readonly [Member in keyof ReceivedDelivery]?: unknown
}

/** Maximum number of deliveries in a timeout message. */
const NEAREST = 3

export const matches = (delivery: ReceivedDelivery, match: Exclude<Match, number>): boolean =>
  typeof match === 'function' ? Boolean(match(delivery)) : fits(delivery, match)

/** Describes the closest deliveries and how they differ, as the end of an error message. */
export function describeReceived(deliveries: readonly ReceivedDelivery[], match: Match): string {
  if (deliveries.length === 0) return 'Nothing was received.'
  if (typeof match === 'object')
    return describeNearest<ReceivedDelivery>(
      deliveries,
      match satisfies MatchOf<ReceivedDelivery>,
      summary,
      'Received',
    )
  const latest = deliveries.slice(-NEAREST).reverse()
  return `Received ${deliveries.length}, the latest:\n${latest.map((one) => `  ${summary(one)}`).join('\n')}`
}

const summary = ({ id, attempt, event, payload, verified }: ReceivedDelivery): string =>
  `${id || '(no delivery id)'} attempt ${attempt}: ${event || '(no event)'}, response ${payload?.response?.id ?? '?'}, ` +
  `${verified === null ? 'not verified' : verified ? 'verified' : 'signature rejected'}`
