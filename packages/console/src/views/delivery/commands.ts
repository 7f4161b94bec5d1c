import { DELIVERY_HEADERS } from '@formwire/contract'
import type { DeliveryAttempt, DeliveryDetail } from '@formwire/contract/control'
import { hasInvisible, replaceInvisible } from '@formwire/internal/invisible'
import { shellQuote } from '@formwire/internal/shell-word'
import { urlOf } from '@formwire/internal/url'

/** A header, its name in lower case. */
export type Header = readonly [name: string, value: string]

/** Returns path and query of a URL, `undefined` if the endpoint was deleted or, in a snapshot, its URL is invalid. */
export function targetOf(url: string): string | undefined {
  const { pathname, search } = urlOf(url) ?? {}
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
    ['host', urlOf(url)?.host],
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

/** Returns the bytes of a character as escapes for `printf '%b'`: `\0342\0200\0256`. */
const octal = (character: string): string =>
  [...new TextEncoder().encode(character)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('')

/**
 * Returns a word of the shell with exactly this text, which must not end with a line end. Invisible characters, and those that
 * reverse the text after them, are written as escapes, so that the word looks the same in the browser, a terminal and the shell.
 */
function shellWord(text: string): string {
  if (!hasInvisible(text)) return shellQuote(text)
  return `"$(printf '%b' ${shellQuote(replaceInvisible(text.replaceAll('\\', '\\\\'), octal))})"`
}

/** Headers that curl writes itself. */
const BY_CURL: readonly string[] = ['host', 'content-length']

/** Returns the URL with everything escaped that must not be in one, such as invisible characters, as a word of the shell. */
const quoted = (url: string): string => shellQuote(urlOf(url)?.href ?? url)

/**
 * Returns a curl command that sends an attempt again exactly as it was sent: the same body, timestamp and signature. A
 * receiver that checks the age of the timestamp refuses it after five minutes (DLV-04).
 *
 * @param headers As sent; those that curl writes itself are left out.
 */
export function curlCommand(url: string, headers: readonly Header[], rawBody: string): string {
  const options = headers
    .filter(([name]) => !BY_CURL.includes(name.toLowerCase()))
    .map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`)
  return `curl -gi ${quoted(url)} ${options.join(' ')} --data-binary ${shellWord(rawBody)}`
}
