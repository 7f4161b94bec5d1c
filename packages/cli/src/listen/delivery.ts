import type { DELIVERY_HEADERS } from '@formwire/contract'
import { signatureHeader } from '@formwire/webhook-verify'

/** One request as received: header names and values in order, body as bytes. */
export interface RawDelivery {
  /** Names and values in turn, from Node: a repeated header is preserved. */
  rawHeaders: string[]
  body: Buffer
}

/** A delivery that was handled. */
export interface HandledDelivery extends RawDelivery {
  /** Start of the handler's response body, if there was a response. */
  responseBody?: string | undefined
}

/** Returns the names and values of Node's flat list in pairs. */
export const headersOf = (rawHeaders: readonly string[]): [name: string, value: string][] =>
  rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : []))

/** Returns the first value of a header, ignoring case. `name` is in lower case. */
export function headerValue(rawHeaders: readonly string[], name: string): string | undefined {
  return headersOf(rawHeaders).find(([given]) => given.toLowerCase() === name)?.[1]
}

/** Returns the headers to forward to a handler, unchanged: X-Service-* and Content-Type. */
export function forwardedHeaders(rawHeaders: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    headersOf(rawHeaders).filter(([name]) => /^(?:x-service-|content-type$)/i.test(name)),
  )
}

/** An event to sign. */
export interface EventToSign {
  body: Buffer
  /** Value of the event header; null sends none. */
  event: string | null
  deliveryId: string
}

/** Returns a delivery with the headers that the service sends (DLV-04), signed at `now`, in milliseconds. */
export function signedDelivery(
  { body, event, deliveryId }: EventToSign,
  secret: string,
  now: number,
): RawDelivery {
  const timestamp = Math.floor(now / 1000)
  const rawHeaders = [
    ['Content-Type', 'application/json'],
    ...(event === null ? [] : [[HEADER_NAMES.event, event]]),
    [HEADER_NAMES.delivery, deliveryId],
    [HEADER_NAMES.timestamp, String(timestamp)],
    [HEADER_NAMES.signature, signatureHeader(secret, timestamp, body)],
  ].flat()
  return { rawHeaders, body }
}

/** As the service spells them. */
const HEADER_NAMES: Record<keyof typeof DELIVERY_HEADERS, string> = {
  event: 'X-Service-Event',
  delivery: 'X-Service-Delivery',
  timestamp: 'X-Service-Timestamp',
  signature: 'X-Service-Signature',
}
