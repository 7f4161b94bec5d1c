import { describe, expect, it } from 'vitest'
import { createReferenceServer } from '../../src/server.ts'
import { createWorld } from '../delivery/world.ts'

/** A resolver that knows a few names. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'hooks.example.com': ['8.8.8.8'],
  'six.example.com': ['2606:4700::1111'],
  'both.example.com': ['8.8.8.8', '2606:4700::1111'],
  'loop.example.com': ['127.0.0.1'],
  'inside.example.com': ['10.1.2.3'],
  'mixed.example.com': ['8.8.8.8', '10.1.2.3'],
  'mixed-loop.example.com': ['8.8.8.8', '127.0.0.1'],
  'mapped.example.com': ['::ffff:10.0.0.1'],
  'metadata.example.com': ['169.254.169.254'],
  'empty.example.com': [],
  localhost: ['127.0.0.1', '::1'],
}

const resolveHost = async (host: string): Promise<readonly string[]> => {
  const answers = NAMES[host]
  if (!answers) throw new Error('ENOTFOUND')
  return answers
}

async function register(url: unknown, addressRules: 'development' | 'production') {
  const world = await createWorld({ addressRules, dns: resolveHost })
  return world.api('POST', `/api/v1/forms/${world.formId}/webhooks`, { url })
}

const longest = `https://hooks.example.com/${'a'.repeat(474)}`

describe('in production', () => {
  it.each([
    'https://hooks.example.com',
    'https://hooks.example.com/',
    'https://HOOKS.example.com./path?query=1#fragment',
    'https://hooks.example.com:443/',
    'https://hooks.example.com:80/',
    'https://hooks.example.com:8080/',
    'https://hooks.example.com:8443/',
    'https://six.example.com/',
    'https://both.example.com/',
    'https://8.8.8.8/',
    'https://134744072/',
    'https://[2606:4700::1111]/',
    longest,
  ])('[HOOK-04] accepts %s', async (url) => {
    const { status, body } = await register(url, 'production')
    expect([status, body.data?.url]).toEqual([201, url])
  })

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['an object', {}],
    ['empty text', ''],
    ['501 characters', `${longest}a`],
    ['no URL', 'hooks.example.com'],
    ['a relative one', '/hook'],
    ['white space around it', ' https://hooks.example.com/ '],
    ['a line break in it', 'https://hooks.example.com/\n'],
    ['a tab in the scheme', 'ht\ttps://hooks.example.com/'],
    ['no slashes before its host', 'https:hooks.example.com'],
    ['a third slash before its host', 'https:///hooks.example.com/'],
    ['backslashes for slashes', 'https:\\\\hooks.example.com/'],
    ['a backslash in its host', 'https://hooks.example.com\\@8.8.8.8/'],
    ['http', 'http://hooks.example.com/'],
    ['ftp', 'ftp://hooks.example.com/'],
    ['a file', 'file:///etc/passwd'],
    ['javascript', 'javascript:alert(1)'],
    ['data', 'data:text/plain,hi'],
    ['a websocket', 'wss://hooks.example.com/'],
    ['port 22', 'https://hooks.example.com:22/'],
    ['port 81', 'https://hooks.example.com:81/'],
    ['port 8081', 'https://hooks.example.com:8081/'],
    ['port 0', 'https://hooks.example.com:0/'],
    ['port 65536', 'https://hooks.example.com:65536/'],
    ['a username', 'https://user@hooks.example.com/'],
    ['a username and password', 'https://user:password@hooks.example.com/'],
    ['a password alone', 'https://:password@hooks.example.com/'],
    ['loopback', 'https://127.0.0.1/'],
    ['loopback, other', 'https://127.8.9.10/'],
    ['loopback, decimal', 'https://2130706433/'],
    ['loopback, hex', 'https://0x7f000001/'],
    ['loopback, octal', 'https://0177.0.0.1/'],
    ['loopback, short', 'https://127.1/'],
    ['loopback, mixed', 'https://0x7f.1/'],
    ['loopback, full-width', 'https://１２７.０.０.１/'],
    ['loopback, percent-encoded', 'https://%31%32%37.0.0.1/'],
    ['loopback, rooted', 'https://127.0.0.1./'],
    ['loopback, IPv6', 'https://[::1]/'],
    ['loopback, IPv6 in full', 'https://[0:0:0:0:0:0:0:1]/'],
    ['loopback, mapped', 'https://[::ffff:127.0.0.1]/'],
    ['loopback, mapped in hex', 'https://[::ffff:7f00:1]/'],
    ['loopback, compatible', 'https://[::127.0.0.1]/'],
    ['localhost', 'https://localhost/'],
    ['localhost, rooted', 'https://localhost./'],
    ['localhost, upper case', 'https://LOCALHOST/'],
    ['below localhost', 'https://hooks.localhost/'],
    ['private, octal', 'https://012.0.0.1/'],
    ['private', 'https://10.0.0.1/'],
    ['private 172', 'https://172.16.0.1/'],
    ['private 192', 'https://192.168.1.1/'],
    ['unique local', 'https://[fd00::1]/'],
    ['link-local', 'https://169.254.169.254/latest/meta-data'],
    ['link-local, IPv6', 'https://[fe80::1]/'],
    ['unspecified', 'https://0.0.0.0/'],
    ['unspecified, short', 'https://0/'],
    ['unspecified, IPv6', 'https://[::]/'],
    ['carrier-grade NAT', 'https://100.64.0.1/'],
    ['multicast', 'https://224.0.0.1/'],
    ['broadcast', 'https://255.255.255.255/'],
    ['documentation', 'https://203.0.113.7/'],
    ['NAT64 with a public address inside', 'https://[64:ff9b::8.8.8.8]/'],
    ['6to4', 'https://[2002:808:808::1]/'],
    ["Azure's host", 'https://168.63.129.16/'],
    ['a name for loopback', 'https://loop.example.com/'],
    ['a name for a private address', 'https://inside.example.com/'],
    ['a name for both', 'https://mixed.example.com/'],
    ['a name for a mapped address', 'https://mapped.example.com/'],
    ['a name for a metadata service', 'https://metadata.example.com/'],
    ['a name that does not resolve', 'https://nowhere.example.com/'],
    ['a name without addresses', 'https://empty.example.com/'],
  ])('[HOOK-04] refuses %s', async (_name, url) => {
    const { status, body } = await register(url, 'production')
    expect([status, body.error?.code, body.error?.details]).toEqual([
      422,
      'validation_failed',
      { field: 'url' },
    ])
  })
})

describe('in development', () => {
  it.each([
    'http://hooks.example.com/',
    'http://hooks.example.com:8080/',
    'https://hooks.example.com:443/',
    'http://127.0.0.1:3000/',
    'https://127.0.0.1:1/',
    'http://127.9.9.9:65535/',
    'http://[::1]:3000/',
    'http://localhost:3000/',
    'http://localhost.:3000/',
    'http://loop.example.com:3000/',
  ])('[HOOK-04] also accepts %s', async (url) => {
    expect((await register(url, 'development')).status).toBe(201)
  })

  it.each([
    ['another port of a public host', 'http://hooks.example.com:3000/'],
    ['another port of a public address', 'http://8.8.8.8:3000/'],
    ['another port of a host that is loopback only in part', 'http://mixed-loop.example.com:3000/'],
    ['a private address', 'http://10.0.0.1:8080/'],
    ['a name for a private address', 'http://inside.example.com/'],
    ['a name for both', 'http://mixed.example.com/'],
    ['a mapped loopback', 'http://[::ffff:127.0.0.1]:3000/'],
    ['the unspecified address', 'http://0.0.0.0:3000/'],
    ['a username', 'http://user@127.0.0.1:3000/'],
    ['501 characters', `http://127.0.0.1/${'a'.repeat(484)}`],
    ['ftp', 'ftp://127.0.0.1/'],
  ])('[HOOK-04] still refuses %s', async (_name, url) => {
    const { status, body } = await register(url, 'development')
    expect([status, body.error?.details]).toEqual([422, { field: 'url' }])
  })
})

describe('a host that does not resolve', () => {
  it('[HOOK-04] is accepted with unresolvableHost: accepted if it passes the other rules', async () => {
    const world = await createWorld({
      addressRules: 'production',
      dns: resolveHost,
      unspecified: { unresolvableHost: 'accepted' },
    })
    const post = (url: string) => world.api('POST', `/api/v1/forms/${world.formId}/webhooks`, { url })
    expect((await post('https://nowhere.example.com/')).status).toBe(201)
    expect((await post('https://nowhere.example.com:3000/')).status).toBe(422)
    expect((await post('http://nowhere.example.com/')).status).toBe(422)
    expect((await post('https://inside.example.com/')).status).toBe(422)
  })

  it('[HOOK-04] is refused when its name server does not respond', async () => {
    const world = await createWorld({ deliveryTimeoutMs: 1, dns: () => new Promise(() => {}) })
    const { status, body } = await world.api('POST', `/api/v1/forms/${world.formId}/webhooks`, {
      url: 'https://hooks.example.com/',
    })
    expect([status, body.error.message]).toEqual([422, 'hooks.example.com does not resolve.'])
  })
})

describe('registration', () => {
  it('[ERR-01] requires a JSON object', async () => {
    const world = await createWorld()
    const post = (body: string, type = 'application/json') =>
      world.server.fetch(`http://127.0.0.1/api/v1/forms/${world.formId}/webhooks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${world.server.writeKey}`, 'content-type': type },
        body,
      })
    expect((await post('{"url":')).status).toBe(400)
    expect((await post('["http://127.0.0.1:9/"]')).status).toBe(400)
    expect((await post('{"url":"http://127.0.0.1:9/"}', 'text/plain')).status).toBe(400)
    expect((await post('{"url":"http://127.0.0.1:9/","more":1}')).status).toBe(201)
  })

  it('[HOOK-04] applies the rules in the app too', async () => {
    const world = await createWorld({ addressRules: 'production', dns: resolveHost })
    const answer = await world.control('POST', `/_app/forms/${world.formId}/webhooks`, {
      url: 'https://10.0.0.1/',
    })
    expect([answer.status, answer.body.error.details]).toEqual([422, { field: 'url' }])
  })

  it('[ENV-09] refuses unknown fields with unknownParameters: 422', async () => {
    const world = await createWorld({ unspecified: { unknownParameters: '422' } })
    const { status, body } = await world.api('POST', `/api/v1/forms/${world.formId}/webhooks`, {
      url: 'http://127.0.0.1:9/',
      events: [],
    })
    expect([status, body.error.details]).toEqual([422, { field: 'events' }])
  })
})

describe('the dns option', () => {
  it('[HOOK-04] accepts a table in which no other name resolves', async () => {
    const world = await createWorld({
      addressRules: 'production',
      dns: { 'Public.example.com': ['203.0.114.7'], 'inside.example.com': ['203.0.114.7', '10.0.0.8'] },
    })
    const path = `/api/v1/forms/${world.formId}/webhooks`
    const status = async (host: string) => (await world.api('POST', path, { url: `https://${host}/` })).status
    expect([
      await status('public.example.com'),
      await status('inside.example.com'),
      await status('other.example.com'),
    ]).toEqual([201, 422, 422])
  })

  it('refuses a value that is neither a function nor a table', () => {
    expect(() => createReferenceServer({ dns: { 'a.example.com': '203.0.114.7' } as never })).toThrow(
      'dns must be a function, or an object from host name to an array of addresses.',
    )
  })
})
