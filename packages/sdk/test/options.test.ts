import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Formwire, type FormwireOptions, UsageError } from '../src/index.ts'
import { VERSION } from '../src/version.ts'
import { fakeTransport } from './support/fake-transport.ts'
import { ManualClock } from './support/manual-clock.ts'

const me = { body: { data: { user: {}, workspace: {}, key: {} } } }

async function urlOf(options: FormwireOptions): Promise<string | undefined> {
  const transport = fakeTransport(me)
  await new Formwire({ apiKey: 'svc_k', transport, ...options }).me()
  return transport.requests[0]?.url
}

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('options', () => {
  it('takes key and base URL from the environment', async () => {
    vi.stubEnv('FORMWIRE_API_KEY', 'svc_env')
    vi.stubEnv('FORMWIRE_BASE_URL', 'https://env.example/forms/')
    const transport = fakeTransport(me)
    await new Formwire({ transport }).me()
    expect(transport.requests[0]?.url).toBe('https://env.example/forms/api/v1/me')
    expect(transport.requests[0]?.headers.authorization).toBe('Bearer svc_env')
  })

  it('says what is missing', () => {
    vi.stubEnv('FORMWIRE_API_KEY', '')
    vi.stubEnv('FORMWIRE_BASE_URL', '')
    expect(() => new Formwire({ baseUrl: 'https://x.example' })).toThrow(/FORMWIRE_API_KEY/)
    expect(() => new Formwire({ apiKey: 'svc_k' })).toThrow(/FORMWIRE_BASE_URL/)
  })

  it('adds /api/v1 to the root, with and without a path or a slash', async () => {
    expect(await urlOf({ baseUrl: 'https://x.example' })).toBe('https://x.example/api/v1/me')
    expect(await urlOf({ baseUrl: 'https://x.example/' })).toBe('https://x.example/api/v1/me')
    expect(await urlOf({ baseUrl: 'https://x.example/a/b//' })).toBe('https://x.example/a/b/api/v1/me')
  })

  it('refuses a base URL that already has /api/v1, which would be sent twice', () => {
    for (const baseUrl of ['https://x.example/api/v1', 'https://x.example/forms/api/v1/']) {
      expect(() => new Formwire({ apiKey: 'svc_k', baseUrl }), baseUrl).toThrow(
        'The base URL of x.example must not carry credentials, query, fragment or /api/v1.',
      )
    }
  })

  it('[AUTH-02] wants https, except on loopback, for formwire.test, or with allowInsecure', async () => {
    for (const baseUrl of [
      'http://x.example',
      'http://10.0.0.1',
      'http://127.0.0.1.x.example',
      'http://forms.example.test',
      'ftp://x.example',
      'nonsense',
    ]) {
      expect(() => new Formwire({ apiKey: 'svc_k', baseUrl }), baseUrl).toThrow(UsageError)
    }
    for (const host of [
      'localhost:1',
      '127.0.0.1:1',
      '127.9.9.9',
      '[::1]:1',
      'app.localhost',
      'formwire.test',
    ]) {
      expect(await urlOf({ baseUrl: `http://${host}` })).toBe(`http://${host}/api/v1/me`)
    }
    expect(await urlOf({ baseUrl: 'http://x.example', allowInsecure: true })).toBe(
      'http://x.example/api/v1/me',
    )
  })

  it('[AUTH-02] refuses a base URL with credentials or a query, and never shows the key', () => {
    for (const baseUrl of [
      'https://u:svc_k@x.example',
      'https://x.example?key=svc_k',
      'https://x.example#svc_k',
    ]) {
      expect(() => new Formwire({ apiKey: 'svc_k', baseUrl })).toThrow(
        expect.objectContaining({ name: 'UsageError', message: expect.not.stringContaining('svc_k') }),
      )
    }
    expect(() => new Formwire({ apiKey: 'svc_k\n', baseUrl: 'https://x.example' })).toThrow(
      expect.objectContaining({ name: 'UsageError', message: expect.not.stringContaining('svc_k') }),
    )
  })

  it.each([
    [{ timeoutMs: 0 }],
    [{ totalTimeoutMs: Number.NaN }],
    [{ maxRetries: -1 }],
    [{ rateLimit: { perMinute: 0 } }],
    [{ fetch: async () => new Response(), transport: fakeTransport(me) }],
    // What a JavaScript caller may write, whom no type stops.
    [{ validate: 'yes' }],
    [{ logLevel: 'loud' }],
    [{ maxRetries: '3' }],
    [{ timeoutMs: '5' }],
    [{ apiKey: 5 }],
    [{ transport: {} }],
    [{ headers: { 'x-team': 'a\nb' } }],
    [{ headers: { tëam: 'a' } }],
    [{ userAgent: 'app\r\nx-team: a' }],
  ])('refuses %o', (options) => {
    const given = { apiKey: 'svc_k', baseUrl: 'https://x.example', ...options } as FormwireOptions
    expect(() => new Formwire(given)).toThrow(UsageError)
  })

  it('names the words that an option takes', () => {
    const given = { apiKey: 'svc_k', baseUrl: 'https://x.example' }
    expect(() => new Formwire({ ...given, validate: 'yes' as 'warn' })).toThrow(
      '"validate" has to be one of off, warn, throw, got yes.',
    )
    expect(() => new Formwire({ ...given, logLevel: 'loud' as 'warn' })).toThrow(
      '"logLevel" has to be one of off, error, warn, info, debug, got loud.',
    )
  })

  it('refuses a header that HTTP cannot carry before a transport fails of it at every attempt', async () => {
    const transport = fakeTransport(me)
    const formwire = new Formwire({ apiKey: 'svc_k', transport })
    await expect(formwire.me({ headers: { 'x-team': 'a\nb' } })).rejects.toThrow(
      'The header "x-team" holds characters that HTTP cannot carry.',
    )
    expect(transport.requests).toEqual([])
    await formwire.me({ headers: { 'x-team': 'caf\u00e9\t!' } })
    expect(transport.requests[0]?.headers['x-team']).toBe('caf\u00e9\t!')
  })

  it('refuses ids that would lead to another endpoint', () => {
    const formwire = new Formwire({ apiKey: 'svc_k', transport: fakeTransport(me) })
    for (const id of ['', '.', '..', undefined as unknown as string, null as unknown as string]) {
      expect(() => formwire.forms.get(id)).toThrow(UsageError)
      expect(() => formwire.responses.poll(id)).toThrow(UsageError)
    }
  })

  it('encodes ids and queries', async () => {
    const transport = fakeTransport({ body: { data: [], meta: { page: 1, per_page: 25, total: 0 } } })
    const formwire = new Formwire({ apiKey: 'svc_k', transport })
    await formwire.responses.list('a/b?c', {
      since: '2026-11-21T10:00:00.5+02:00',
      status: 'in_progress',
      per_page: 3,
    })
    await formwire.responses.list('abc', { since: new Date(0) })
    expect(transport.requests.map(({ url }) => url)).toEqual([
      'http://formwire.test/api/v1/forms/a%2Fb%3Fc/responses?status=in_progress&since=2026-11-21T10%3A00%3A00.5%2B02%3A00&per_page=3',
      'http://formwire.test/api/v1/forms/abc/responses?since=1970-01-01T00%3A00%3A00.000Z',
    ])
    await expect(formwire.responses.list('abc', { since: new Date(Number.NaN) })).rejects.toThrow(UsageError)
  })

  it('[AUTH-02] sends own headers, a user agent, and no other authorization than the key', async () => {
    const transport = fakeTransport(me)
    const formwire = new Formwire({
      apiKey: 'svc_k',
      transport,
      userAgent: 'my-app/1.2',
      headers: { 'X-Team': 'a', Authorization: 'Bearer other' },
      onRequest: (event) => {
        expect(event.headers).not.toHaveProperty('authorization')
        event.headers.traceparent = '00-1'
        event.headers.authorization = 'Bearer hook'
        event.headers.Authorization = 'Bearer Hook'
      },
    })
    await formwire.me({ headers: { 'x-team': 'b', AUTHORIZATION: 'Bearer third' } })
    expect(transport.requests[0]?.headers).toEqual({
      accept: 'application/json',
      authorization: 'Bearer svc_k',
      traceparent: '00-1',
      'user-agent': `my-app/1.2 formwire-sdk/${VERSION} node/${process.versions.node}`,
      'x-team': 'b',
    })
  })

  it('sends its own headers when a hook leaves some that HTTP cannot carry or nobody can read, and gives its place back', async () => {
    const errors: unknown[] = []
    const quiet = () => {}
    const spoil = [
      (headers: Record<string, string>) => {
        headers['x-team'] = 'a\nb'
      },
      (headers: Record<string, string>) => {
        Object.defineProperty(headers, 'x-team', {
          enumerable: true,
          get: () => {
            throw new Error('no')
          },
        })
      },
    ]
    const transport = fakeTransport(me, me)
    const clock = new ManualClock()
    const formwire = new Formwire({
      apiKey: 'svc_k',
      transport,
      clock,
      rateLimit: { perMinute: 2 },
      userAgent: 'my-app',
      logger: { debug: quiet, info: quiet, warn: quiet, error: (...line) => errors.push(line) },
      onRequest: ({ headers }) => spoil.shift()?.(headers),
    })
    await formwire.me()
    await formwire.me()
    expect(transport.requests.map(({ headers }) => Object.keys(headers).sort())).toEqual([
      ['accept', 'authorization', 'user-agent'],
      ['accept', 'authorization', 'user-agent'],
    ])
    expect(errors).toEqual([
      [
        'formwire: onRequest threw',
        { error: 'UsageError: The header "x-team" holds characters that HTTP cannot carry.' },
      ],
      ['formwire: onRequest threw', { error: 'Error: no' }],
    ])
    await clock.advance(60_000)
    expect(formwire.budget.remaining).toBe(2)
  })

  it('carries the version of the package', () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    expect(VERSION).toBe(version)
  })
})

describe('hooks and log', () => {
  it('report each attempt, its answer and each retry; a hook that throws changes nothing', async () => {
    const events: unknown[] = []
    const errors: string[] = []
    const quiet = () => {}
    const formwire = new Formwire({
      apiKey: 'svc_k',
      transport: fakeTransport({ status: 503, headers: { 'x-request-id': 'r1' } }, me),
      random: () => 0,
      logger: { debug: quiet, info: quiet, warn: quiet, error: (message) => errors.push(message) },
      onRequest: ({ method, path, attempt }) => events.push(['request', method, path, attempt]),
      onResponse: ({ status, attempt, requestId }) => {
        events.push(['response', status, attempt, requestId])
        throw new Error('broken')
      },
      onRetry: ({ attempt, waitMs, error }) => events.push(['retry', attempt, waitMs, error.name]),
    })
    await formwire.me()
    expect(events).toEqual([
      ['request', 'GET', '/me', 1],
      ['response', 503, 1, 'r1'],
      ['retry', 1, 0, 'ServerError'],
      ['request', 'GET', '/me', 2],
      ['response', 200, 2, undefined],
    ])
    expect(errors).toEqual(['formwire: onResponse threw', 'formwire: onResponse threw'])
  })

  it('a hook that rejects later is logged, and never an unhandled rejection', async () => {
    const errors: string[] = []
    const quiet = () => {}
    const unhandled: unknown[] = []
    const collect = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', collect)
    await new Formwire({
      apiKey: 'svc_k',
      transport: fakeTransport(me),
      logger: { debug: quiet, info: quiet, warn: quiet, error: (message) => errors.push(message) },
      onRequest: async () => {
        throw new Error('broken')
      },
    }).me()
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', collect)
    expect(unhandled).toEqual([])
    expect(errors).toEqual(['formwire: onRequest threw'])
  })

  it('a logger that throws, or lacks a level, fails no call and keeps no place in the budget', async () => {
    const broken = () => {
      throw new Error('disk full')
    }
    for (const logger of [{ debug: broken, info: broken, warn: broken, error: broken }, { warn: broken }]) {
      const formwire = new Formwire({
        apiKey: `svc_logger_${Object.keys(logger).length}`,
        transport: fakeTransport({ status: 503 }, me),
        random: () => 0,
        logger: logger as NonNullable<FormwireOptions['logger']>,
        logLevel: 'debug',
      })
      await formwire.me()
      expect(formwire.budget.remaining).toBe(118)
    }
  })

  it('log from the chosen level on', async () => {
    for (const [logLevel, expected] of [
      ['off', []],
      ['error', []],
      ['warn', ['warn']],
      ['debug', ['debug', 'debug', 'warn', 'debug', 'debug']],
    ] as const) {
      const levels: string[] = []
      const line = (level: string) => () => levels.push(level)
      const logger = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
      await new Formwire({
        apiKey: 'svc_k',
        transport: fakeTransport({ status: 503 }, me),
        random: () => 0,
        logger,
        logLevel,
      }).me()
      expect(levels, logLevel).toEqual(expected)
    }
  })
})
