import ipaddr from 'ipaddr.js'

/** What an IP address is good for: reachable by anyone, this machine alone, or a kind that is never sent to. */
export type AddressKind = 'public' | 'loopback' | { readonly refused: string }

/** Addresses of global scope that still lead inside: Azure's host answers at this one from every virtual machine. */
const REFUSED_BY_HAND: ReadonlySet<string> = new Set(['168.63.129.16'])

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Names for people, where ipaddr.js has its own. */
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
 * Judges an IP address in any spelling that a resolver or `new URL().hostname` gives (HOOK-04). What cannot be read is
 * refused. IPv6 has to be global unicast, so that an IPv4 address embedded in it never gets through.
 */
export function kindOfAddress(text: string): AddressKind {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  // A zone (`fe80::1%eth0`) names an interface of this machine.
  if (bare.includes('%') || !isIpAddress(bare)) return { refused: 'not a plain IP address' }
  const address = ipaddr.parse(bare)
  const range = address.range()
  if (range === 'loopback') return 'loopback'
  if (range !== 'unicast') return { refused: RANGE_NAMES[range] ?? 'reserved' }
  if (address.kind() === 'ipv6' && !(address as ipaddr.IPv6).match(GLOBAL_UNICAST))
    return { refused: 'reserved' }
  return REFUSED_BY_HAND.has(address.toString()) ? { refused: 'reserved' } : 'public'
}

/** Whether a host of a URL is an IP address rather than a name. IPv4 in four decimal parts: a URL has no other. */
export function isIpAddress(host: string): boolean {
  return host.startsWith('[') || ipaddr.IPv4.isValidFourPartDecimal(host) || ipaddr.IPv6.isValid(host)
}
