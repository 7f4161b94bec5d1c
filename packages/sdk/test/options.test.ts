import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fileCheckpoint } from '../src/checkpoint/file.ts'
import { redisCheckpoint } from '../src/checkpoint/redis.ts'
import { Formwire, type FormwireOptions, UsageError } from '../src/index.ts'
import { nodeTransport } from '../src/node.ts'
import { undiciTransport } from '../src/undici.ts'
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
  it('reads the key and the base URL from the environment', async () => {
    vi.stubEnv('FORMWIRE_API_KEY', 'svc_env')
    vi.stubEnv('FORMWIRE_BASE_URL', 'https://env.example/forms/')
    const transport = fakeTransport(me)
    await new Formwire({ transport }).me()
    expect(transport.requests[0]?.url).toBe('https://env.example/forms/api/v1/me')
    expect(transport.requests[0]?.headers.authorization).toBe('Bearer svc_env')
  })

  it('names the missing option and its environment variable', () => {
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

  it('[ENV-10] requires https, except on loopback, for formwire.test, or with allowInsecure', async () => {
    for (const baseUrl of [
      'http://x.example',
      'http://10.0.0.1',
      'http://127.0.0.1.x.example',
      'http://localhost.x.example',
      'http://formwire.test.x.example',
      'http://forms.example.test',
      'http://0.0.0.0',
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

  it('[AUTH-02] rejects a base URL with credentials or a query, without showing the key', () => {
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
    [{ maxResponseBytes: 0 }],
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
  ])('rejects %o', (options) => {
    const given = { apiKey: 'svc_k', baseUrl: 'https://x.example', ...options } as FormwireOptions
    expect(() => new Formwire(given)).toThrow(UsageError)
  })

  it.each<[string, FormwireOptions, string]>([
    ['timeout', { timeout: 5 } as FormwireOptions, 'unknown name "timeout"; did you mean "timeoutMs"?'],
    ['apikey', { apikey: 'svc_k' } as FormwireOptions, 'unknown name "apikey"; did you mean "apiKey"?'],
    ['clok', { clok: {} } as FormwireOptions, 'unknown name "clok"; did you mean "clock"?'],
    [
      'perminute',
      { rateLimit: { perminute: 5 } } as unknown as FormwireOptions,
      'rateLimit: unknown name "perminute"; did you mean "perMinute"?',
    ],
    [
      'zzz',
      { rateLimit: { zzz: 5 } } as unknown as FormwireOptions,
      'rateLimit: unknown name "zzz"; use one of perMinute, store.',
    ],
    [
      'a rate limit',
      { rateLimit: 60 } as unknown as FormwireOptions,
      'rateLimit must be an object with perMinute, store, got number.',
    ],
    [
      'a clock',
      { clock: Date } as unknown as FormwireOptions,
      '"clock" must be an object with now() and setTimer(), got function.',
    ],
    [
      'a header line',
      { headers: 'x: y' } as unknown as FormwireOptions,
      '"headers" must be a plain object of names and values.',
    ],
    [
      'an instance of Headers',
      { headers: new Headers({ 'x-team': 'a' }) } as unknown as FormwireOptions,
      '"headers" must be a plain object of names and values.',
    ],
    [
      'a logger',
      { logger: 'console' } as unknown as FormwireOptions,
      '"logger" must be an object with error(), warn(), info() and debug(), such as console, got string.',
    ],
    ['random', { random: 5 } as unknown as FormwireOptions, '"random" must be a function, got number.'],
  ])('rejects the unknown or invalid option %s', (_name, options, message) => {
    vi.stubEnv('FORMWIRE_API_KEY', 'svc_env')
    vi.stubEnv('FORMWIRE_BASE_URL', 'https://env.example')
    expect(() => new Formwire(options)).toThrow(
      expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(message) }),
    )
  })

  it('[AUTH-02] rejects a key in place of the options, without showing it', () => {
    vi.stubEnv('FORMWIRE_API_KEY', 'svc_env')
    vi.stubEnv('FORMWIRE_BASE_URL', 'https://env.example')
    for (const given of ['svc_secret', null, 5]) {
      expect(() => new Formwire(given as FormwireOptions)).toThrow(
        expect.objectContaining({
          name: 'UsageError',
          message: expect.stringMatching(
            /^new Formwire\(\) must be an object with apiKey, baseUrl, .*got (?!.*svc_)/,
          ),
        }),
      )
    }
  })

  it('rejects unknown names in every method and sends nothing', async () => {
    const transport = fakeTransport(me)
    const formwire = new Formwire({ apiKey: 'svc_k', transport })
    const id = 'abcdefghijkl'
    const wrong = <Value>(value: unknown): Value => value as Value
    const calls: [() => PromiseLike<unknown>, string][] = [
      [
        () => formwire.me(wrong({ timeout: 5 })),
        'options: unknown name "timeout"; did you mean "timeoutMs"?',
      ],
      [
        () => formwire.forms.list(wrong({ perPage: 3 })),
        'parameters: unknown name "perPage"; did you mean "per_page"?',
      ],
      [
        () => formwire.forms.list(wrong('published')),
        'parameters must be an object with status, page, per_page, got string.',
      ],
      [
        () => formwire.forms.list(wrong(null)),
        'parameters must be an object with status, page, per_page, got null.',
      ],
      [
        () => formwire.forms.list({}, wrong({ retries: 0 })),
        'options: unknown name "retries"; did you mean "maxRetries"?',
      ],
      [
        () => formwire.forms.get(id, wrong({ abort: 1 })),
        'options: unknown name "abort"; use one of signal, ',
      ],
      [
        () => formwire.forms.update(id, wrong({ titel: 'x' })),
        'parameters: unknown name "titel"; did you mean "title"?',
      ],
      [
        () => formwire.forms.close(id, wrong({ Signal: 1 })),
        'options: unknown name "Signal"; did you mean "signal"?',
      ],
      [
        () => formwire.responses.list(id, wrong({ sinse: 'x' })),
        'parameters: unknown name "sinse"; did you mean "since"?',
      ],
      [() => formwire.responses.get(id, 1, wrong({ max_retries: 1 })), 'did you mean "maxRetries"?'],
      [() => formwire.responses.delete(id, 1, wrong({ timeOutMs: 1 })), 'did you mean "timeoutMs"?'],
      [() => formwire.webhooks.list(id, wrong({ page: 1 })), 'options: unknown name "page"; use one of '],
      [
        () => formwire.webhooks.create(id, wrong({ URL: 'x' })),
        'parameters: unknown name "URL"; did you mean "url"?',
      ],
      [
        () => formwire.webhooks.create(id, wrong('https://x.example')),
        'parameters must be an object with url, got string.',
      ],
      [
        () => formwire.webhooks.create(id, wrong(undefined)),
        'parameters must be an object with url, got undefined.',
      ],
      [() => formwire.webhooks.delete(id, 1, wrong({ header: {} })), 'did you mean "headers"?'],
    ]
    for (const [call, message] of calls) {
      const error = await call().then(
        () => undefined,
        (caught: Error) => caught,
      )
      expect(error?.message).toContain(message)
      expect(error).toBeInstanceOf(UsageError)
    }
    expect(() => formwire.responses.poll(id, wrong({ interval: 5 }))).toThrow(
      'options: unknown name "interval"; did you mean "intervalMs"?',
    )
    expect(transport.requests).toEqual([])
  })

  it('rejects unknown names in the options of a transport', () => {
    expect(() => nodeTransport({ agnt: undefined } as never)).toThrow(
      'nodeTransport(): unknown name "agnt"; did you mean "agent"?',
    )
    expect(() => undiciTransport({ conections: 2 } as never)).toThrow(
      'undiciTransport(): unknown name "conections"; did you mean "connections"?',
    )
  })

  it('rejects invalid options of undiciTransport() before undici is loaded, without showing a proxy password', () => {
    const invalid: [object, string][] = [
      [{ connections: 0 }, '"connections" must be an integer from 1, got 0.'],
      [{ connections: 1.5 }, '"connections" must be an integer from 1, got 1.5.'],
      [{ proxy: 'user:hunter2@proxy:8080' }, '"proxy" must be an absolute http or https URL.'],
      [{ dispatcher: {} }, '"dispatcher" must be an undici Dispatcher, got object.'],
    ]
    for (const [options, message] of invalid) {
      expect(() => undiciTransport(options)).toThrow(new UsageError(message))
    }
  })

  it('rejects unknown names in the options of a checkpoint store', () => {
    expect(() => fileCheckpoint('checkpoints', { leaseMS: 60_000 } as never)).toThrow(
      'fileCheckpoint(): unknown name "leaseMS"; did you mean "leaseMs"?',
    )
    expect(() => fileCheckpoint('checkpoints', null as never)).toThrow(
      'fileCheckpoint() must be an object with sync, leaseMs, got null.',
    )
    const client = { get: async () => null, eval: async () => 1 }
    expect(() => redisCheckpoint({ client, prefx: 'app' } as never)).toThrow(
      'redisCheckpoint(): unknown name "prefx"; did you mean "prefix"?',
    )
    expect(() => redisCheckpoint(undefined as never)).toThrow(
      'redisCheckpoint() must be an object with client, prefix, leaseMs, owner, got undefined.',
    )
  })

  it('rejects a checkpoint store without its directory or its client, and shows no password', () => {
    for (const [directory, got] of [
      [undefined, 'undefined'],
      ['', 'string'],
      [{ sync: true }, 'object'],
    ]) {
      expect(() => fileCheckpoint(directory as never)).toThrow(
        `fileCheckpoint(): "directory" must be a path, got ${got}.`,
      )
    }
    const kind = '"client" must be a connected client of the package redis'
    expect(() => redisCheckpoint({} as never)).toThrow(`${kind}, got undefined.`)
    expect(() => redisCheckpoint({ client: 'redis://u:pw@h' } as never)).toThrow(`${kind}, got string.`)
    expect(() => redisCheckpoint('redis://u:pw@h' as never)).toThrow(
      'redisCheckpoint() must be an object with client, prefix, leaseMs, owner, got string.',
    )
  })

  it('rejects an invalid checkpoint store', () => {
    const formwire = new Formwire({ apiKey: 'svc_k', transport: fakeTransport(me) })
    for (const [checkpoint, got] of [
      ['./checkpoints', 'string'],
      [{ load: () => undefined }, 'object'],
    ]) {
      expect(() => formwire.responses.poll('abcdefghijkl', { checkpoint } as never)).toThrow(
        `"checkpoint" must be a store with load() and save(), such as fileCheckpoint(directory), got ${got}.`,
      )
    }
  })

  it('rejects a signal that is not an AbortSignal and leaves no timer', async () => {
    const clock = new ManualClock()
    const transport = fakeTransport('hang')
    const formwire = new Formwire({ apiKey: 'svc_k', transport, clock })
    for (const signal of [
      new AbortController(),
      {},
      'stop',
      5,
      null,
      { aborted: false, addEventListener() {} },
      { aborted: false, addEventListener() {}, removeEventListener() {} },
    ]) {
      await expect(formwire.me({ signal } as never)).rejects.toThrow(
        '"signal" must be an AbortSignal, such as controller.signal, got ',
      )
      expect(() => formwire.responses.poll('abcdefghijkl', { signal } as never)).toThrow(
        '"signal" must be an AbortSignal',
      )
    }
    expect(clock.pending).toBe(0)
    expect(transport.requests).toEqual([])
  })

  it.each([
    ['Bearer svc_secret', '"apiKey" must not begin with "Bearer".'],
    ['bearer  svc_secret', '"apiKey" must not begin with "Bearer".'],
    ['svc_secret\n', '"apiKey" must not begin or end with white space.'],
    [' svc_secret', '"apiKey" must not begin or end with white space.'],
    ['svc_secret\u00e9', '"apiKey" contains characters that are not allowed in HTTP.'],
  ])('[AUTH-02] explains what is wrong with a key, without showing it (%j)', (apiKey, message) => {
    expect(() => new Formwire({ apiKey, baseUrl: 'https://x.example' })).toThrow(
      expect.objectContaining({ name: 'UsageError', message }),
    )
  })

  it.each([
    ['localhost:8787', '"baseUrl" must begin with https:// or http://: use "http://localhost:8787".'],
    ['127.0.0.1:8787/', '"baseUrl" must begin with https:// or http://: use "http://127.0.0.1:8787".'],
    ['forms.example.com', '"baseUrl" must begin with https:// or http://: use "https://forms.example.com".'],
    ['forms.example.com/svc_k', '"baseUrl" must begin with https:// or http://.'],
    ['//x.example', '"baseUrl" must begin with https:// or http://.'],
    ['ftp://x.example', '"baseUrl" must begin with https:// or http://.'],
    ['https://', '"baseUrl" must be an absolute URL.'],
    ['https://x.example/api/v1', '"baseUrl" of x.example must not contain /api/v1, which the client adds.'],
    [
      'https://x.example/forms/api/v1/',
      '"baseUrl" of x.example must not contain /api/v1, which the client adds.',
    ],
    [
      'http://localhost/api/v1/forms',
      '"baseUrl" of localhost must not contain /api/v1, which the client adds.',
    ],
    ['https://@x.example/', '"baseUrl" of x.example must not carry credentials, a query or a fragment.'],
    ['https:\\\\@x.example', '"baseUrl" of x.example must not carry credentials, a query or a fragment.'],
    ['https://:@x.example/', '"baseUrl" of x.example must not carry credentials, a query or a fragment.'],
    ['http://x.example', '"baseUrl" must be https, got http://x.example; or set allowInsecure.'],
  ])('explains how to fix the base URL %s', (baseUrl, message) => {
    expect(() => new Formwire({ apiKey: 'svc_k', baseUrl })).toThrow(
      expect.objectContaining({ name: 'UsageError', message }),
    )
  })

  it('accepts /api/v10 in the path of a base URL', async () => {
    expect(await urlOf({ baseUrl: 'https://x.example/api/v10' })).toBe('https://x.example/api/v10/api/v1/me')
  })

  it('passes maxResponseBytes to the transport, at most the length of the longest string', async () => {
    for (const [maxResponseBytes, expected] of [
      [undefined, 33_554_432],
      [1000, 1000],
      [Number.POSITIVE_INFINITY, 536_870_888],
    ]) {
      const transport = fakeTransport(me)
      await new Formwire({ apiKey: 'svc_k', transport, maxResponseBytes }).me()
      expect(transport.requests[0]?.maxResponseBytes).toBe(expected)
    }
  })

  it('accepts an @ in the path of a base URL', async () => {
    expect(await urlOf({ baseUrl: 'https://x.example/@forms' })).toBe('https://x.example/@forms/api/v1/me')
  })

  it('lists the allowed values of an option', () => {
    const given = { apiKey: 'svc_k', baseUrl: 'https://x.example' }
    expect(() => new Formwire({ ...given, validate: 'yes' as 'warn' })).toThrow(
      '"validate" must be one of off, warn, throw, got yes.',
    )
    expect(() => new Formwire({ ...given, logLevel: 'loud' as 'warn' })).toThrow(
      '"logLevel" must be one of off, error, warn, info, debug, got loud.',
    )
  })

  it('rejects a header that is not allowed in HTTP before the first attempt', async () => {
    const transport = fakeTransport(me)
    const formwire = new Formwire({ apiKey: 'svc_k', transport })
    await expect(formwire.me({ headers: { 'x-team': 'a\nb' } })).rejects.toThrow(
      'Header "x-team" contains characters that are not allowed in HTTP.',
    )
    expect(transport.requests).toEqual([])
    await formwire.me({ headers: { 'x-team': 'caf\u00e9\t!' } })
    expect(transport.requests[0]?.headers['x-team']).toBe('caf\u00e9\t!')
  })

  it('rejects ids that would lead to another route', () => {
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

  it('[AUTH-02] sends custom headers and a user agent, but no authorization except the key', async () => {
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

  it('sends the original headers and frees its slot if a hook sets headers that are invalid or unreadable', async () => {
    const errors: unknown[] = []
    const quiet = () => {}
    const changes = [
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
      onRequest: ({ headers }) => changes.shift()?.(headers),
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
        { error: 'UsageError: Header "x-team" contains characters that are not allowed in HTTP.' },
      ],
      ['formwire: onRequest threw', { error: 'Error: no' }],
    ])
    await clock.advance(60_000)
    expect(formwire.budget.remaining).toBe(2)
  })

  it('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    expect(VERSION).toBe(version)
  })
})

describe('hooks and log', () => {
  it('report each attempt, response and retry, and may throw without an effect', async () => {
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

  it('[AUTH-02] never contain the key, even if a response echoes it as its request id', async () => {
    const seen: unknown[] = []
    const log = (message: string, fields?: object): void => void seen.push(message, fields)
    const formwire = new Formwire({
      apiKey: 'svc_secret',
      transport: fakeTransport({ ...me, headers: { 'x-request-id': 'for svc_secret' } }),
      logger: { debug: log, info: log, warn: log, error: log },
      logLevel: 'debug',
      onResponse: (event) => seen.push(event),
    })
    await formwire.me()
    expect(seen).toContainEqual(expect.objectContaining({ status: 200, requestId: 'for [redacted]' }))
    expect(JSON.stringify(seen)).not.toContain('svc_secret')
  })

  it('log a hook that rejects, without an unhandled rejection', async () => {
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

  it('ignore a logger that throws, and free the slot of the call', async () => {
    const broken = () => {
      throw new Error('disk full')
    }
    const formwire = new Formwire({
      apiKey: 'svc_logger',
      transport: fakeTransport({ status: 503 }, me),
      random: () => 0,
      logger: { debug: broken, info: broken, warn: broken, error: broken },
      logLevel: 'debug',
    })
    await formwire.me()
    expect(formwire.budget.remaining).toBe(118)
  })

  it('log the chosen level and less verbose ones', async () => {
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
