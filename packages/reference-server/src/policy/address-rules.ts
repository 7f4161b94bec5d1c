import { LIMITS, WEBHOOK_PORTS } from '@formwire/contract'
import { urlOf } from '@formwire/internal/url'
import { accepted, type Result, refused } from '../domain/result.ts'
import { isIpAddress, kindOfAddress } from './ip-address.ts'
import { bareHost, portOf } from './url-parts.ts'

/** `production` is HOOK-04 exactly. `development` also allows http, and loopback on any port. `loopback` allows nothing else. */
export const ADDRESS_RULES = ['development', 'production', 'loopback'] as const

export type AddressRules = (typeof ADDRESS_RULES)[number]

/** Where deliveries are sent. */
interface Destination {
  /** Host without brackets and without a trailing dot. */
  readonly host: string
  readonly port: number
  /** Whether the host is an IP address, which needs no lookup. */
  readonly literal: boolean
}

/** The parsed parts of a webhook URL. */
export interface WebhookTarget extends Destination {
  readonly url: URL
}

/**
 * Checks everything about a webhook URL that needs no DNS: length, scheme, credentials, host names and literal IP
 * addresses (HOOK-04). `checkAddresses` checks what the host resolves to.
 */
export function checkUrl(text: string, rules: AddressRules): Result<WebhookTarget> {
  // A character has one or two UTF-16 units, so much longer texts need no counting.
  if (
    text.length > 2 * LIMITS.webhookUrlMaxLength ||
    (text.length > LIMITS.webhookUrlMaxLength && [...text].length > LIMITS.webhookUrlMaxLength)
  ) {
    return refuse(`A webhook URL must have at most ${LIMITS.webhookUrlMaxLength} characters.`)
  }
  // The URL parser silently drops white space and control characters, and reads a backslash as a slash where other
  // parsers do not. The stored URL must be the one that is called.
  if (/[\s\p{Cc}\\]/u.test(text)) {
    return refuse(
      'A webhook URL must not contain spaces, control characters or backslashes: percent-encode them.',
    )
  }
  if (rules === 'production' && !/^https:\/\//i.test(text)) {
    return refuse('A webhook URL must begin with https://.')
  }
  if (!/^https?:\/\//i.test(text)) return refuse('A webhook URL must begin with https:// or http://.')
  // The parser also drops surplus slashes.
  const url = /^\w+:\/\/[^/]/.test(text) ? urlOf(text) : undefined
  if (!url) return refuse('The host or the port of the webhook URL is not valid.')
  // Of the text, since the parser drops an empty username and password.
  if (/^\w+:\/\/[^/?#]*@/.test(text)) {
    return refuse('A webhook URL must not contain a username or password.')
  }
  const host = bareHost(url.hostname)
  const target = { url, host, port: portOf(url), literal: isIpAddress(host) }
  if (isLoopbackName(host)) return checkAddresses(target, ['127.0.0.1'], rules)
  if (target.literal) return checkAddresses(target, [host], rules)
  if (rules === 'loopback') return refuse(addressMessage(target, NOT_LOOPBACK))
  // In development the port depends on the addresses: a name may resolve to loopback, where every port is allowed.
  return rules === 'production' ? checkPort(target, false) : accepted(target)
}

/**
 * Checks all addresses that a host resolves to. One forbidden address refuses the target, whatever their order
 * (HOOK-04, HOOK-05). Without addresses (a host override, a name that does not resolve) only the port is checked, by the
 * rules for public addresses.
 */
export function checkAddresses<Target extends Destination>(
  target: Target,
  addresses: readonly string[],
  rules: AddressRules,
): Result<Target> {
  let loopback = addresses.length > 0
  for (const address of addresses) {
    const kind = kindOfAddress(address)
    if (kind === 'public' && rules === 'loopback') return refuse(addressMessage(target, NOT_LOOPBACK))
    if (kind === 'public') loopback = false
    else if (kind !== 'loopback') return refuse(addressMessage(target, kind.refused))
    else if (rules === 'production') return refuse(addressMessage(target, 'loopback'))
  }
  return checkPort(target, loopback)
}

/** Whether a name means this machine without a lookup: `localhost` and everything below it (RFC 6761). */
function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

/** @param anyPort Whether all addresses are loopback, which only `development` allows. */
function checkPort<Target extends Destination>(target: Target, anyPort: boolean): Result<Target> {
  if (anyPort || WEBHOOK_PORTS.includes(target.port)) return accepted(target)
  return refuse(`Port ${target.port} is not allowed: use one of ${WEBHOOK_PORTS.join(', ')}.`)
}

const refuse = (message: string): Result<never> => refused({ field: 'url', message })

const NOT_LOOPBACK = 'not loopback'

function addressMessage(target: Destination, kind: string): string {
  if (kind === NOT_LOOPBACK)
    return `The host ${target.host} is not allowed: deliveries stay on this machine, use 127.0.0.1, [::1] or localhost.`
  return target.literal || isLoopbackName(target.host)
    ? `The address ${target.host} is not allowed (${kind}): use a public address.`
    : `${target.host} resolves to an address that is not allowed (${kind}): use a host with a public address.`
}
