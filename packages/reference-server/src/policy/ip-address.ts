import ipaddr from 'ipaddr.js'

/** The kind of an IP address: public, loopback, or one that deliveries are never sent to. */
export type AddressKind = 'public' | 'loopback' | { readonly refused: string }

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
export function isIpAddress(host: string): boolean {
  return host.startsWith('[') || ipaddr.IPv4.isValidFourPartDecimal(host) || ipaddr.IPv6.isValid(host)
}
