import { DELIVERY_HEADERS } from '@formwire/contract'
import type { DeliveryAttempt, DeliveryDetail } from '@formwire/contract/control'

/** A header, its name in lower case. */
export type Header = readonly [name: string, value: string]

/** Headers that differ in each attempt. */
export const OF_ATTEMPT: readonly string[] = [DELIVERY_HEADERS.timestamp, DELIVERY_HEADERS.signature].map(
  (name) => name.toLowerCase(),
)

const parsed = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined)

/** Returns path and query of a URL, `undefined` if the endpoint was deleted or, in a snapshot, its URL is invalid. */
export function targetOf(url: string): string | undefined {
  const { pathname, search } = parsed(url) ?? {}
  return pathname === undefined ? undefined : `${pathname}${search}`
}

/**
 * Returns the headers that the receiver got, in order. The log stores those that differ between attempts; the others are
 * constant.
 *
 * @param url URL of the endpoint, `''` if it was deleted.
 */
export function headersSent(
  detail: Pick<DeliveryDetail, 'id' | 'event' | 'raw_body'>,
  attempt: Pick<DeliveryAttempt, 'timestamp' | 'signature'>,
  url: string,
): readonly Header[] {
  const host = parsed(url)?.host
  return [
    ...(host === undefined ? [] : [['host', host] as const]),
    ['content-type', 'application/json'],
    ...(detail.raw_body === null
      ? []
      : [['content-length', String(new TextEncoder().encode(detail.raw_body).length)] as const]),
    ['accept', '*/*'],
    ['accept-encoding', 'identity'],
    ['user-agent', 'Formwire-Webhooks/1'],
    [DELIVERY_HEADERS.event, detail.event],
    [DELIVERY_HEADERS.delivery, detail.id],
    [DELIVERY_HEADERS.timestamp, String(attempt.timestamp)],
    [DELIVERY_HEADERS.signature, attempt.signature],
  ]
}
