import { describe, expect, it } from 'vitest'
import { kindOfAddress } from '../../src/policy/address-rules.ts'

/** First and last address of each range that is refused, and its neighbours that are not in it. */
const REFUSED: readonly [
  name: string,
  first: string,
  last: string,
  before: string | null,
  after: string | null,
][] = [
  ['this network', '0.0.0.0', '0.255.255.255', null, '1.0.0.0'],
  ['private 10/8', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['carrier-grade NAT', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['link-local', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['private 172.16/12', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['IETF assignments', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['documentation 1', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['6to4 relays', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['private 192.168/16', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['benchmarking', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['documentation 2', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['documentation 3', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['multicast', '224.0.0.0', '239.255.255.255', '223.255.255.255', null],
  ['reserved 240/4 and broadcast', '240.0.0.0', '255.255.255.255', null, null],
  ["Azure's host", '168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
  ['unspecified and embedded IPv4', '::', '::ffff:ffff:ffff', null, null],
  ['below global unicast', '::1:0:0:0', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null, '2000::'],
  ['NAT64', '64:ff9b::', '64:ff9b::ffff:ffff', null, null],
  ['NAT64, local', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', null, null],
  ['discard', '100::', '100::ffff:ffff:ffff:ffff', null, null],
  [
    'IETF protocol assignments, Teredo first',
    '2001::',
    '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:200::',
  ],
  ['Teredo', '2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff', null, null],
  ['benchmarking, IPv6', '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff', null, null],
  [
    'documentation, IPv6',
    '2001:db8::',
    '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db9::',
  ],
  [
    '6to4',
    '2002::',
    '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2003::',
  ],
  [
    'documentation, IPv6, second',
    '3fff::',
    '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff',
    '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '3fff:1000::',
  ],
  [
    'above global unicast',
    '4000::',
    'fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    null,
  ],
  ['unique local', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null, null],
  ['link-local, IPv6', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null, null],
  ['site-local', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null, null],
  ['multicast, IPv6', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null, null],
]

const refused = { refused: expect.any(String) }

describe('kindOfAddress', () => {
  it.each(REFUSED)('[HOOK-04] refuses %s from %s to %s', (_name, first, last) => {
    expect(kindOfAddress(first)).toEqual(refused)
    expect(kindOfAddress(last)).toEqual(refused)
  })

  const neighbours = REFUSED.flatMap(([name, , , before, after]) => [
    ...(before ? [[`before ${name}`, before] as const] : []),
    ...(after ? [[`after ${name}`, after] as const] : []),
  ])
  it.each(neighbours)('[HOOK-04] accepts the address just %s: %s', (_name, address) => {
    expect(kindOfAddress(address)).toBe('public')
  })

  it.each(['127.0.0.0', '127.0.0.1', '127.255.255.255', '::1', '[::1]', '0:0:0:0:0:0:0:1'])(
    '[HOOK-04] classifies %s as loopback',
    (address) => {
      expect(kindOfAddress(address)).toBe('loopback')
    },
  )

  it.each([
    ...['126.255.255.255', '128.0.0.0', '8.8.8.8', '1.1.1.1', '2606:4700::1111', '[2606:4700::1111]'],
    ...['2606:4700::1:5efe:1', '2606:4700::1:5efe:7f00:1', '2606:4700::5eff:7f00:1'],
  ])('[HOOK-04] classifies %s as public', (address) => {
    expect(kindOfAddress(address)).toBe('public')
  })

  it.each([
    ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::127.0.0.1', '::8.8.8.8'],
    ...['::ffff:0:8.8.8.8', '64:ff9b::8.8.8.8', '2002:808:808::1', '2001:0:808:808::1'],
    ...['2606:4700::5efe:127.0.0.1', '2606:4700::5efe:10.0.0.1', '2606:4700:1:2:200:5efe:192.168.0.1'],
    ...['2606:4700::5efe:8.8.8.8', 'fe80::5efe:127.0.0.1', '::5efe:127.0.0.1', 'fe80::1%eth0'],
    ...['::1%lo', '8.8.8.8%1'],
  ])('[HOOK-04] refuses %s, whatever it embeds', (address) => {
    expect(kindOfAddress(address)).toEqual(refused)
  })

  it.each(['', 'example.com', '300.1.1.1', '1.2.3', ':::', '127.0.0.1 '])(
    '[HOOK-04] refuses %j, which is not a plain address',
    (text) => {
      const kind = kindOfAddress(text)
      expect(kind === 'public' || kind === 'loopback' ? kind : 'refused').toBe('refused')
    },
  )
})
