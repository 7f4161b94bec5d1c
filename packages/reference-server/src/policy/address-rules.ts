import { LIMITS, WEBHOOK_PORTS } from '@formwire/contract'
import { urlOf } from '@formwire/internal/url'
import ipaddr from 'ipaddr.js'
import { accepted, type Result, refused } from '../domain/result.ts'
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

/** The kind of an IP address: public, loopback, or one that deliveries are never sent to. */
type AddressKind = 'public' | 'loopback' | { readonly refused: string }

/** Public addresses that still reach internal services: Azure's host listens here for every virtual machine. */
const REFUSED_PUBLIC: ReadonlySet<string> = new Set(['168.63.129.16'])

/** ISATAP interface identifiers contain an IPv4 address (RFC 5214), whatever the prefix. */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean =>
  ((parts[4] as number) & 0xfcff) === 0 && parts[5] === 0x5efe

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Readable names of the ranges of ipaddr.js. */
const RANGE_NAMES: Readonly<Record<string, string>> = {
  private: 'private',
  uniqueLocal: 'private',
  linkLocal: 'link-local',
  unspecified: 'unspecified',
  carrierGradeNat: 'carrier-grade NAT',
  multicast: 'multicast',
  broadcast: 'broadcast',
  ipv4Mapped: 'an embedded IPv4 address',
  rfc6145: 'an embedded IPv4 address',
  rfc6052: 'an embedded IPv4 address',
  '6to4': 'an embedded IPv4 address',
  teredo: 'an embedded IPv4 address',
  benchmarking: 'benchmarking',
}

/**
 * Classifies an IP address in any spelling that a resolver or `new URL().hostname` produces (HOOK-04). An unreadable
 * address is refused. IPv6 must be global unicast, so that no embedded IPv4 address is accepted.
 */
export function kindOfAddress(text: string): AddressKind {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  // A zone (`fe80::1%eth0`) is an interface of this machine.
  if (bare.includes('%') || !isIpAddress(bare)) return { refused: 'not a plain IP address' }
  const address = ipaddr.parse(bare)
  const range = address.range()
  if (range === 'loopback') return 'loopback'
  if (range !== 'unicast') return { refused: RANGE_NAMES[range] ?? 'reserved' }
  if (address instanceof ipaddr.IPv6) {
    if (!address.match(GLOBAL_UNICAST)) return { refused: 'reserved' }
    if (isIsatap(address)) return { refused: 'an embedded IPv4 address' }
  }
  return REFUSED_PUBLIC.has(address.toString()) ? { refused: 'reserved' } : 'public'
}

/** Whether a URL's host is an IP address rather than a name. URLs write IPv4 as four decimal parts. */
function isIpAddress(host: string): boolean {
  return host.startsWith('[') || ipaddr.IPv4.isValidFourPartDecimal(host) || ipaddr.IPv6.isValid(host)
}
