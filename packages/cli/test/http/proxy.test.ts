import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { proxyOf } from '../../src/http/proxy.ts'
import { runCli } from '../support/run-cli.ts'
import { type Service, SURVEY, testService } from '../support/service.ts'

const P = 'http://p.example:3128'

describe('the proxy for a URL', () => {
  it.each<[string, Record<string, string>, string | undefined]>([
    ['https://x.example', {}, undefined],
    ['https://x.example', { HTTPS_PROXY: P }, `${P}/`],
    ['https://x.example', { https_proxy: 'p.example:3128' }, `${P}/`],
    ['https://x.example', { HTTP_PROXY: P }, `${P}/`],
    ['http://x.example', { HTTPS_PROXY: P }, undefined],
    ['http://x.example', { http_proxy: P, HTTP_PROXY: 'http://other.example' }, `${P}/`],
    ['https://x.example', { HTTPS_PROXY: P, NO_PROXY: 'a.example, x.example' }, undefined],
    ['https://x.example', { HTTPS_PROXY: P, NO_PROXY: '*' }, undefined],
    ['https://a.x.example', { HTTPS_PROXY: P, NO_PROXY: '.X.example' }, undefined],
    ['https://a.x.example', { HTTPS_PROXY: P, no_proxy: '*.x.example' }, undefined],
    ['https://ax.example', { HTTPS_PROXY: P, NO_PROXY: 'x.example' }, `${P}/`],
    ['https://x.example', { HTTPS_PROXY: P, NO_PROXY: 'x.example:443' }, undefined],
    ['https://x.example:8443', { HTTPS_PROXY: P, NO_PROXY: 'x.example:443,,' }, `${P}/`],
    ['http://127.0.0.1:8787', { HTTP_PROXY: P }, undefined],
    ['http://[::1]:8787', { HTTP_PROXY: P }, undefined],
    ['http://localhost:8787', { HTTP_PROXY: P }, undefined],
    ['https://forms.localhost', { HTTPS_PROXY: P }, undefined],
  ])('of %s with %j is %s', (url, env, proxy) => {
    expect(proxyOf(url, env)?.href).toBe(proxy)
  })

  it.each(['socks5://me:secret@p.example', 'http://'])('is not %s, which no error repeats', (HTTPS_PROXY) => {
    expect(() => proxyOf('https://x.example', { HTTPS_PROXY })).toThrow(
      /^HTTPS_PROXY must be an http or https URL$/,
    )
  })
})

describe('a command whose service is behind a proxy', () => {
  let service: Service
  let proxy: Server
  let connected: string[]
  const sockets = new Set<Socket>()
  beforeEach(async () => {
    service = await testService({ limits: 'off', allowedHosts: ['forms.example.com'] })
    connected = []
    proxy = createServer().on('connect', ({ url }, socket: Socket) => {
      connected.push(String(url))
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      const up = connect(Number(new URL(service.url).port), '127.0.0.1')
      for (const one of [socket, up]) sockets.add(one.on('error', () => undefined))
      socket.pipe(up).pipe(socket)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  })
  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
    await service.server.close()
  })
  const proxyUrl = () => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const cli = (line: string, env: Record<string, string> = {}) =>
    runCli(line.split(' '), {
      env: {
        ...service.env,
        FORMWIRE_BASE_URL: 'http://forms.example.com',
        FORMWIRE_ALLOW_INSECURE: '1',
        HTTP_PROXY: proxyUrl(),
        ...env,
      },
      retriesAtOnce: true,
    })

  it.each([
    'whoami',
    `responses export ${SURVEY}`,
    `deliveries list ${SURVEY} 1`,
    `responses submit ${SURVEY}`,
    `conformance ${SURVEY} --rule FORM-02`,
  ])('%s reaches it', async (line) => {
    const { code, stderr } = await cli(line)
    expect(connected[0], stderr).toBe('forms.example.com:80')
    expect(code, stderr).toBe(0)
  })

  it('doctor names the proxy, without its password', async () => {
    const { stdout } = await cli('doctor', { HTTP_PROXY: proxyUrl().replace('//', '//me:secret@') })
    expect(stdout).toContain(`http://forms.example.com (through the proxy ${proxyUrl()}) responded in`)
    expect(stdout).not.toContain('secret')
  })

  it('says that the proxy refused the connection', async () => {
    proxy.removeAllListeners('connect').on('connect', (_request, socket: Socket) => {
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
    })
    const { code, stderr } = await cli('whoami')
    expect([code, stderr.split('\n').slice(-3)]).toEqual([
      6,
      [
        `formwire: could not show the current user at http://forms.example.com (through the proxy ${proxyUrl()}): the proxy refused the connection`,
        '  check HTTPS_PROXY and HTTP_PROXY; NO_PROXY names hosts that are reached without them',
        '',
      ],
    ])
  })

  it.each([
    ['http://me:secret@127.0.0.1:9', 'http://127.0.0.1:9', 'connection refused'],
    [
      'http://proxy.invalid:3128',
      'http://proxy.invalid:3128',
      expect.stringMatching(/^(?:host not found|the host name )/),
    ],
  ])('names the proxy %s if it cannot be reached', async (HTTP_PROXY, origin, problem) => {
    const hint = '  check HTTPS_PROXY and HTTP_PROXY; NO_PROXY names hosts that are reached without them'
    const where = `http://forms.example.com (through the proxy ${origin}): `
    const { code, stderr } = await cli('whoami', { HTTP_PROXY })
    const [retried = '', failed = '', advice] = stderr.split('\n')
    expect([code, advice]).toEqual([6, hint])
    expect(failed.split(where)).toEqual(['formwire: could not show the current user at ', problem])
    expect(retried.split(where)[0]).toBe('could not reach ')
    const { stdout } = await cli('doctor', { HTTP_PROXY })
    expect(stdout).toContain(`could not reach ${where}`)
    expect(stdout).toContain(hint.trim())
    expect(stderr + stdout).not.toContain('secret')
  })

  it('is not used for a server on this machine', async () => {
    expect((await cli('whoami', { FORMWIRE_BASE_URL: service.url })).code).toBe(0)
    expect(connected).toEqual([])
  })
})
