import { DELIVERY_HEADERS } from '@formwire/contract'
import type { DeliveryAttempt, DeliveryDetail } from '@formwire/contract/control'
import { fromEnvironment, printCommand, shellQuote, shellWord } from '../../shell.ts'

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
  const { id, event, raw_body: body } = detail
  const headers: readonly (readonly [name: string, value: string | undefined])[] = [
    ['host', parsed(url)?.host],
    ['content-type', 'application/json'],
    ['content-length', body === null ? undefined : String(new TextEncoder().encode(body).length)],
    ['accept', '*/*'],
    ['accept-encoding', 'identity'],
    ['user-agent', 'Formwire-Webhooks/1'],
    [DELIVERY_HEADERS.event, event],
    [DELIVERY_HEADERS.delivery, id],
    [DELIVERY_HEADERS.timestamp, String(attempt.timestamp)],
    [DELIVERY_HEADERS.signature, attempt.signature],
  ]
  return headers.filter((header): header is Header => header[1] !== undefined)
}

/** Headers that curl writes itself. */
const BY_CURL: readonly string[] = ['host', 'content-length']

/** Returns the URL with everything escaped that must not be in one, such as invisible characters, as a word of the shell. */
const quoted = (url: string): string => shellQuote(parsed(url)?.href ?? url)

const headerOptions = (headers: readonly Header[], leftOut = BY_CURL): string =>
  headers
    .filter(([name]) => !leftOut.includes(name.toLowerCase()))
    .map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`)
    .join(' ')

/**
 * Returns a curl command that sends an attempt again exactly as it was sent: the same body, timestamp and signature. A
 * receiver that checks the age of the timestamp refuses it after five minutes (DLV-04).
 *
 * @param headers As sent; those that curl writes itself are left out.
 */
export const curlCommand = (url: string, headers: readonly Header[], rawBody: string): string =>
  `curl -gi ${quoted(url)} ${headerOptions(headers)} --data-binary ${shellWord(rawBody)}`

/**
 * Returns a command that sends the delivery with the time and a signature of now. The secret stays in its variable.
 *
 * @param now Unix second of a manual clock. If `undefined`, the command reads the time of the machine.
 */
export function signedCurlCommand(
  url: string,
  headers: readonly Header[],
  rawBody: string,
  now?: number,
): string {
  const kept = headerOptions(headers, [...BY_CURL, ...OF_ATTEMPT])
  return [
    // Alone and first: in the pipe, a missing secret would leave the rest running.
    `: "${fromEnvironment('FORMWIRE_WEBHOOK_SECRET')}"`,
    `body=${shellWord(rawBody)}`,
    `now=${now ?? '$(date +%s)'}`,
    `signature=$(printf '%s' "$now.$body" | openssl dgst -sha256 -hmac "$FORMWIRE_WEBHOOK_SECRET" | sed 's/^.*= //')`,
    `curl -gi ${quoted(url)} ${kept} -H "${DELIVERY_HEADERS.timestamp}: $now" -H "${DELIVERY_HEADERS.signature}: sha256=$signature" --data-binary "$body"`,
  ].join('; ')
}

/**
 * Returns a command that sends the same body with a new signature, timestamp and delivery id. The CLI reads the secret from
 * FORMWIRE_WEBHOOK_SECRET.
 */
export const cliReplayCommand = (url: string, rawBody: string): string =>
  `${printCommand(rawBody)} | npx formwire replay /dev/stdin --forward-to ${quoted(url)}`

/** Returns a command that lets the server queue a copy. The admin token stays in its variable. */
export const serverReplayCommand = (server: string, id: string): string =>
  `curl -X POST ${server}/_app/deliveries/${encodeURIComponent(id)}/replay -H "Authorization: Bearer ${fromEnvironment('FORMWIRE_ADMIN_TOKEN')}"`

/**
 * Returns a command for a POSIX shell that recomputes a signature: it prints the expected `X-Service-Signature` (DLV-04).
 *
 * @param secret The endpoint's secret, including `whsec_`. If `undefined`, the command reads an environment variable.
 */
export function signatureCommand(timestamp: number, rawBody: string, secret: string | undefined): string {
  const key = secret === undefined ? `"${fromEnvironment('FORMWIRE_WEBHOOK_SECRET')}"` : shellQuote(secret)
  return `${printCommand(`${timestamp}.${rawBody}`)} | openssl dgst -sha256 -hmac ${key} | sed 's/^.*= /sha256=/'`
}
