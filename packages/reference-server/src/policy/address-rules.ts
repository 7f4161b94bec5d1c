import { LIMITS, WEBHOOK_PORTS } from '@formwire/contract'
import { isIpAddress, kindOfAddress } from './ip-address.ts'
import { bareHost, portOf } from './url-parts.ts'

/**
 * `production` is HOOK-04 to the letter. `development` also allows http, and loopback on any port; all else is the
 * same.
 */
export type AddressRules = 'development' | 'production'

/** A webhook url taken apart. */
export interface WebhookTarget {
  readonly url: URL
  /** Host without brackets and without the dot at the end of a rooted name. */
  readonly host: string
  readonly port: number
  /** The host is an IP address: there is nothing to resolve. */
  readonly literal: boolean
}

/** Why an address is refused, in words for the person who registered it. */
export interface Refusal {
  readonly refused: string
}

/**
 * Judges all of a webhook url that can be judged without DNS: length, scheme, credentials, host names, literal
 * addresses (HOOK-04). What the host resolves to is judged by `judgeAddresses`.
 */
export function judgeUrl(text: string, rules: AddressRules): WebhookTarget | Refusal {
  if ([...text].length > LIMITS.webhookUrlMaxLength) {
    return { refused: `A webhook url takes at most ${LIMITS.webhookUrlMaxLength} characters.` }
  }
  // The URL parser drops white space and control characters in silence, and takes a backslash for a slash where other
  // readers do not: what is stored has to be what is called.
  if (/[\s\p{Cc}\\]/u.test(text) || !URL.canParse(text)) return { refused: 'This is not a URL.' }
  const url = new URL(text)
  // It also makes up for slashes that are missing, or too many.
  if (!/^https?:\/\/[^/]/i.test(text)) {
    return { refused: 'A webhook url begins with https:// (or http:// in development).' }
  }
  if (url.protocol === 'http:' && rules === 'production')
    return { refused: 'A webhook url has to use https://.' }
  if (url.username !== '' || url.password !== '') {
    return { refused: 'A webhook url must not carry a username or password.' }
  }
  const host = bareHost(url.hostname)
  const target = { url, host, port: portOf(url), literal: isIpAddress(host) }
  if (isLoopbackName(host)) return judgeAddresses(target, ['127.0.0.1'], rules) ?? target
  if (target.literal) return judgeAddresses(target, [host], rules) ?? target
  // In development a name may turn out to be loopback, on any port: then only its addresses can tell.
  return rules === 'production' ? (judgePort(target, false, rules) ?? target) : target
}

/**
 * Judges all addresses that a host resolves to: one that is not allowed refuses them all, so that no order of answers
 * and no second look lets it through (HOOK-04, HOOK-05). `null` when they are allowed. Without any address (a name that
 * a route stands for, one that does not resolve) only the port is judged, as that of a public address.
 */
export function judgeAddresses(
  target: WebhookTarget,
  addresses: readonly string[],
  rules: AddressRules,
): Refusal | null {
  let loopback = addresses.length > 0
  for (const address of addresses) {
    const kind = kindOfAddress(address)
    if (kind === 'public') loopback = false
    else if (kind !== 'loopback') return { refused: refusalText(target, kind.refused) }
    else if (rules === 'production') return { refused: refusalText(target, 'loopback') }
  }
  return judgePort(target, loopback, rules)
}

/** Whether a name means this machine without being asked for: `localhost` and everything below it (RFC 6761). */
function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

function judgePort(target: WebhookTarget, loopback: boolean, rules: AddressRules): Refusal | null {
  if (WEBHOOK_PORTS.includes(target.port) || (loopback && rules === 'development')) return null
  return portRefusal(target)
}

const portRefusal = (target: WebhookTarget): Refusal => ({
  refused: `Port ${target.port} is not allowed: use one of ${WEBHOOK_PORTS.join(', ')}.`,
})

const refusalText = (target: WebhookTarget, kind: string): string =>
  target.literal || isLoopbackName(target.host)
    ? `The address ${target.host} is not allowed (${kind}): a webhook url needs a public one.`
    : `${target.host} leads to an address that is not allowed (${kind}): a webhook url needs a public one.`
