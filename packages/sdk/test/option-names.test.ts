import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fileCheckpoint } from '../src/checkpoint/file.ts'
import { redisCheckpoint } from '../src/checkpoint/redis.ts'
import { Formwire, type FormwireOptions, UsageError } from '../src/index.ts'
import { nodeTransport } from '../src/node.ts'
import { undiciTransport } from '../src/undici.ts'
import { VERSION } from '../src/version.ts'
import { fakeTransport, loggerOf, ME } from './support/fake-transport.ts'
import { ManualClock } from './support/manual-clock.ts'

async function urlOf(options: FormwireOptions): Promise<string | undefined> {
  const transport = fakeTransport(ME)
  await new Formwire({ apiKey: 'svc_k', transport, ...options }).me()
  return transport.requests[0]?.url
}

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('names and values of options', () => {
  it('rejects unknown names in every method and sends nothing', async () => {
    const transport = fakeTransport(ME)
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
        () => formwire.forms.list({}, wrong({ retries: 0 })),
        'options: unknown name "retries"; did you mean "maxRetries"?',
      ],
      [() => formwire.responses.get(id, 1, wrong({ max_retries: 1 })), 'did you mean "maxRetries"?'],
      [
        () => formwire.webhooks.create(id, wrong({ URL: 'x' })),
        'parameters: unknown name "URL"; did you mean "url"?',
      ],
      [
        () => formwire.webhooks.create(id, wrong(undefined)),
        'parameters must be an object with url, got undefined.',
      ],
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
    const formwire = new Formwire({ apiKey: 'svc_k', transport: fakeTransport(ME) })
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
      const transport = fakeTransport(ME)
      await new Formwire({ apiKey: 'svc_k', transport, maxResponseBytes }).me()
      expect(transport.requests[0]?.maxResponseBytes).toBe(expected)
    }
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
    const transport = fakeTransport(ME)
    const formwire = new Formwire({ apiKey: 'svc_k', transport })
    await expect(formwire.me({ headers: { 'x-team': 'a\nb' } })).rejects.toThrow(
      'Header "x-team" contains characters that are not allowed in HTTP.',
    )
    expect(transport.requests).toEqual([])
    await formwire.me({ headers: { 'x-team': 'caf\u00e9\t!' } })
    expect(transport.requests[0]?.headers['x-team']).toBe('caf\u00e9\t!')
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
    const transport = fakeTransport(ME)
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
    const transport = fakeTransport(ME, ME)
    const clock = new ManualClock()
    const formwire = new Formwire({
      apiKey: 'svc_k',
      transport,
      clock,
      rateLimit: { perMinute: 2 },
      userAgent: 'my-app',
      logger: loggerOf({ error: (...line) => errors.push(line) }),
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
