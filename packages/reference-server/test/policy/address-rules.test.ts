import { describe, expect, it } from 'vitest'
import {
  type AddressRules,
  checkAddresses,
  checkUrl,
  type WebhookTarget,
} from '../../src/policy/address-rules.ts'

const target = (url: string, rules: AddressRules = 'development'): WebhookTarget => {
  const checked = checkUrl(url, rules)
  if (!checked.ok) throw new Error(checked.refusal.message)
  return checked.value
}
const refusal = (url: string, rules: AddressRules): string | null => {
  const checked = checkUrl(url, rules)
  return checked.ok ? null : checked.refusal.message
}

describe('the address rules', () => {
  it.each([
    ['http://hooks.example.com/', 80],
    ['https://hooks.example.com/', 443],
    ['http://hooks.example.com:8443/', 8443],
    ['https://hooks.example.com:80/', 80],
  ])('[HOOK-04] read the port of %s as %i', (url, port) => {
    expect(target(url).port).toBe(port)
  })

  it.each([
    ...['127.8.9.10', '2130706433', '0x7f000001', '0177.0.0.1', '012.0.0.1', '127.1', '0x7f.1'],
    ...['１２７.０.０.１', '%31%32%37.0.0.1', '127.0.0.1.', '0', '[0:0:0:0:0:0:0:1]', '[::ffff:7f00:1]'],
    '[::ffff:10.0.0.1]',
  ])('[HOOK-04] refuse the address %s, however it is written', (host) => {
    expect(refusal(`https://${host}/`, 'production')).toMatch(/^The address \S+ is not allowed/)
  })

  it('[HOOK-04] accept a public address and a name, however they are written', () => {
    for (const host of ['134744072', '[2606:4700::1111]', 'HOOKS.example.com.'])
      expect([host, refusal(`https://${host}/path?query=1#fragment`, 'production')]).toEqual([host, null])
  })

  it('[HOOK-04] treat localhost and every name below it as loopback without DNS', () => {
    for (const host of ['localhost', 'localhost.', 'app.localhost', 'a.b.localhost.', 'LOCALHOST']) {
      expect([host, refusal(`https://${host}/`, 'production')]).toEqual([
        host,
        expect.stringContaining('is not allowed (loopback)'),
      ])
      expect([host, refusal(`http://${host}:3000/`, 'development')]).toEqual([host, null])
    }
    for (const host of ['notlocalhost', 'localhost.example.com'])
      expect([host, refusal(`https://${host}/`, 'production')]).toEqual([host, null])
  })

  it('allow nothing but this machine under the rules for loopback, without a lookup', () => {
    for (const url of [
      'http://127.0.0.1:4000/',
      'http://[::1]:1/',
      'http://localhost:3000/',
      'https://a.localhost/',
    ])
      expect([url, refusal(url, 'loopback')]).toEqual([url, null])
    for (const [url, host] of [
      ['https://hooks.example.com/', 'hooks.example.com'],
      ['https://localhost.example.com/', 'localhost.example.com'],
      ['https://93.184.216.34/', '93.184.216.34'],
      ['https://[2606:4700::1111]/', '2606:4700::1111'],
    ]) {
      expect(refusal(url as string, 'loopback')).toBe(
        `The host ${host} is not allowed: deliveries stay on this machine, use 127.0.0.1, [::1] or localhost.`,
      )
    }
    const local = target('http://a.localhost/')
    expect(checkAddresses(local, ['127.0.0.1', '93.184.216.34'], 'loopback').ok).toBe(false)
  })

  it('[HOOK-04] refuse a text that a parser would correct, or that is no URL, and name the fault', () => {
    const characters =
      'A webhook URL must not contain spaces, control characters or backslashes: percent-encode them.'
    const scheme = 'A webhook URL must begin with https:// or http://.'
    const host = 'The host or the port of the webhook URL is not valid.'
    for (const [text, message] of [
      [' https://hooks.example.com/', characters],
      ['https://hooks.example.com/a\tb', characters],
      ['https:\\\\hooks.example.com', characters],
      ['hooks.example.com/path', scheme],
      ['localhost:3000/path', scheme],
      ['ftp://hooks.example.com/', scheme],
      ['javascript:alert(1)', scheme],
      ['https:hooks.example.com/', scheme],
      ['https:/hooks.example.com/', scheme],
      ['xhttps://hooks.example.com/', scheme],
      ['', scheme],
      ['https://', host],
      ['https:///hooks.example.com', host],
      ['https:///hooks.example.com/?to=https://x', host],
      ['https://hooks.example.com:99999/', host],
      ['https://hooks.example.com:65536/', host],
      ['https://[::1/', host],
    ] as const)
      expect([text, refusal(text, 'development')]).toEqual([text, message])
    for (const text of ['http://hooks.example.com/', 'hooks.example.com', 'xhttps://hooks.example.com/'])
      expect(refusal(text, 'production')).toBe('A webhook URL must begin with https://.')
  })

  it('[HOOK-04] allow 500 characters, however many UTF-16 units they have', () => {
    const url = (characters: number, character: string): string =>
      `https://hooks.example.com/${character.repeat(characters - 26)}`
    const message = 'A webhook URL must have at most 500 characters.'
    for (const character of ['x', '👩']) {
      expect(refusal(url(500, character), 'production')).toBeNull()
      expect(refusal(url(501, character), 'production')).toBe(message)
    }
    expect(refusal(url(1100, 'x'), 'production')).toBe(message)
    // 1,000 units, which could be 500 characters, and are.
    expect(refusal('👩'.repeat(500), 'production')).toBe('A webhook URL must begin with https://.')
  })

  it('[HOOK-04] check the port of a name without DNS in production only', () => {
    for (const port of [80, 443, 8080, 8443])
      expect(refusal(`https://hooks.example.com:${port}/`, 'production')).toBeNull()
    for (const port of [0, 22, 81, 3000, 8081])
      expect(refusal(`https://hooks.example.com:${port}/`, 'production')).toBe(
        `Port ${port} is not allowed: use one of 80, 443, 8080, 8443.`,
      )
    expect(refusal('https://hooks.example.com:3000/', 'development')).toBeNull()
  })

  it('[HOOK-04] name the address of a URL that has no other host', () => {
    expect(refusal('https://10.0.0.1/', 'production')).toBe(
      'The address 10.0.0.1 is not allowed (private): use a public address.',
    )
    expect(refusal('https://localhost/', 'production')).toBe(
      'The address localhost is not allowed (loopback): use a public address.',
    )
  })

  it('[HOOK-04] allow other ports in development only where every address is loopback', () => {
    const other = target('http://hooks.example.com:3000/')
    const allowed = { ok: true, value: other }
    const refused = {
      ok: false,
      refusal: { field: 'url', message: 'Port 3000 is not allowed: use one of 80, 443, 8080, 8443.' },
    }
    expect(checkAddresses(other, ['127.0.0.1'], 'development')).toEqual(allowed)
    expect(checkAddresses(other, ['127.0.0.1', '::1'], 'development')).toEqual(allowed)
    expect(checkAddresses(other, ['127.0.0.1', '93.184.215.14'], 'development')).toEqual(refused)
    expect(checkAddresses(other, ['93.184.215.14'], 'development')).toEqual(refused)
    expect(checkAddresses(other, [], 'development')).toEqual(refused)
    const usual = target('http://hooks.example.com/')
    expect(checkAddresses(usual, [], 'development')).toEqual({ ok: true, value: usual })
    expect(checkAddresses(usual, ['127.0.0.1'], 'production')).toEqual({
      ok: false,
      refusal: {
        field: 'url',
        message:
          'hooks.example.com resolves to an address that is not allowed (loopback): use a host with a public address.',
      },
    })
  })

  it.each([
    'https://user@hooks.example.com/',
    'https://:pass@hooks.example.com/',
    'https://u:p@hooks.example.com/',
    'https://@hooks.example.com/',
    'https://:@hooks.example.com',
    'https://@hooks.example.com?a',
  ])('[HOOK-04] refuse the credentials in %s', (url) => {
    expect(refusal(url, 'production')).toBe('A webhook URL must not contain a username or password.')
  })
})
