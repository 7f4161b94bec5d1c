import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fileCheckpoint } from '../src/checkpoint/file.ts'
import { redisCheckpoint } from '../src/checkpoint/redis.ts'
import { Formwire, UsageError } from '../src/index.ts'
import { nodeTransport } from '../src/node.ts'
import { undiciTransport } from '../src/undici.ts'
import { VERSION } from '../src/version.ts'
import { fakeTransport, loggerOf, ME } from './support/fake-transport.ts'
import { ManualClock } from './support/manual-clock.ts'

/** The message about a name that is not known. */
const unknown = (what: string, name: string, meant: string) =>
  `${what}: unknown name "${name}"; did you mean "${meant}"?`

describe('names and values of options', () => {
  it('rejects unknown names in every method and sends nothing', async () => {
    const transport = fakeTransport(ME)
    const formwire = new Formwire({ apiKey: 'svc_k', transport })
    const id = 'abcdefghijkl'
    const wrong = <Value>(value: unknown): Value => value as Value
    const calls: [() => PromiseLike<unknown>, string][] = [
      [() => formwire.me(wrong({ timeout: 5 })), unknown('options', 'timeout', 'timeoutMs')],
      [() => formwire.forms.list(wrong({ perPage: 3 })), unknown('parameters', 'perPage', 'per_page')],
      [() => formwire.forms.list({}, wrong({ retries: 0 })), unknown('options', 'retries', 'maxRetries')],
      [() => formwire.responses.get(id, 1, wrong({ max_retries: 1 })), 'did you mean "maxRetries"?'],
      [() => formwire.webhooks.create(id, wrong({ URL: 'x' })), unknown('parameters', 'URL', 'url')],
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
      unknown('options', 'interval', 'intervalMs'),
    )
    expect(transport.requests).toEqual([])
  })

  const client = { get: async () => null, eval: async () => 1 }
  const poll = (checkpoint: unknown) =>
    new Formwire({ apiKey: 'svc_k', transport: fakeTransport(ME) }).responses.poll('abcdefghijkl', {
      checkpoint,
    } as never)
  const ofForms = (changes: object) =>
    new Formwire({ apiKey: 'svc_k', baseUrl: 'https://x.example', ...changes })
  const DIRECTORY = 'fileCheckpoint(): "directory" must be a path'
  const REDIS = 'redisCheckpoint() must be an object with client, prefix, leaseMs, owner'
  const CLIENT = '"client" must be a connected client of the package redis'
  const HEADERS = '"headers" must be a plain object of names and values.'
  const LOGGER = 'an object with error(), warn(), info() and debug(), such as console'
  const STORE = '"checkpoint" must be a store with load() and save(), such as fileCheckpoint(directory)'

  // Options of undici are refused before undici is loaded. No message shows the password of a proxy or a database.
  it.each<[wrong: (...options: never[]) => unknown, options: unknown[], message: string]>([
    [nodeTransport, [{ agnt: undefined }], unknown('nodeTransport()', 'agnt', 'agent')],
    [undiciTransport, [{ conections: 2 }], unknown('undiciTransport()', 'conections', 'connections')],
    [undiciTransport, [{ connections: 0 }], '"connections" must be an integer from 1, got 0.'],
    [undiciTransport, [{ connections: 1.5 }], '"connections" must be an integer from 1, got 1.5.'],
    [
      undiciTransport,
      [{ proxy: 'user:hunter2@proxy:8080' }],
      '"proxy" must be an absolute http or https URL.',
    ],
    [undiciTransport, [{ dispatcher: {} }], '"dispatcher" must be an undici Dispatcher, got object.'],
    [fileCheckpoint, ['a', { leaseMS: 60_000 }], unknown('fileCheckpoint()', 'leaseMS', 'leaseMs')],
    [fileCheckpoint, ['a', null], 'fileCheckpoint() must be an object with sync, leaseMs, got null.'],
    [fileCheckpoint, [undefined], `${DIRECTORY}, got undefined.`],
    [fileCheckpoint, [''], `${DIRECTORY}, got string.`],
    [fileCheckpoint, [{ sync: true }], `${DIRECTORY}, got object.`],
    [redisCheckpoint, [{ client, prefx: 'app' }], unknown('redisCheckpoint()', 'prefx', 'prefix')],
    [redisCheckpoint, [undefined], `${REDIS}, got undefined.`],
    [redisCheckpoint, ['redis://u:pw@h'], `${REDIS}, got string.`],
    [redisCheckpoint, [{}], `${CLIENT}, got undefined.`],
    [redisCheckpoint, [{ client: 'redis://u:pw@h' }], `${CLIENT}, got string.`],
    [poll, ['./checkpoints'], `${STORE}, got string.`],
    [poll, [{ load: () => undefined }], `${STORE}, got object.`],
    [ofForms, [{ timeout: 5 }], unknown('new Formwire()', 'timeout', 'timeoutMs')],
    [ofForms, [{ apikey: 'svc_k' }], unknown('new Formwire()', 'apikey', 'apiKey')],
    [ofForms, [{ clok: {} }], unknown('new Formwire()', 'clok', 'clock')],
    [ofForms, [{ rateLimit: { perminute: 5 } }], unknown('rateLimit', 'perminute', 'perMinute')],
    [ofForms, [{ rateLimit: { zzz: 5 } }], 'rateLimit: unknown name "zzz"; use one of perMinute, store.'],
    [ofForms, [{ rateLimit: 60 }], 'rateLimit must be an object with perMinute, store, got number.'],
    [ofForms, [{ clock: Date }], '"clock" must be an object with now() and setTimer(), got function.'],
    [ofForms, [{ headers: 'x: y' }], HEADERS],
    [ofForms, [{ headers: new Headers({ 'x-team': 'a' }) }], HEADERS],
    [ofForms, [{ logger: 'console' }], `"logger" must be ${LOGGER}, got string.`],
    [ofForms, [{ random: 5 }], '"random" must be a function, got number.'],
    [ofForms, [{ validate: 'yes' }], '"validate" must be one of off, warn, throw, got yes.'],
    [ofForms, [{ logLevel: 'loud' }], '"logLevel" must be one of off, error, warn, info, debug, got loud.'],
  ])('refuses what is wrong with the options of %o: %o', (wrong, options, message) => {
    expect(() => wrong(...(options as never[]))).toThrow(new UsageError(message))
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
    ...[
      'https://@x.example/',
      'https:\\\\@x.example',
      'https://:@x.example/',
      'https://u:svc_k@x.example',
      'https://x.example?key=svc_k',
      'https://x.example#svc_k',
    ].map((url): [string, string] => [
      url,
      '"baseUrl" of x.example must not carry credentials, a query or a fragment.',
    ]),
    ['http://x.example', '"baseUrl" must be https, got http://x.example; or set allowInsecure.'],
  ])('[AUTH-02] explains how to fix the base URL %s, without what may be a key', (baseUrl, message) => {
    expect(() => new Formwire({ apiKey: 'svc_k', baseUrl })).toThrow(
      expect.objectContaining({ name: 'UsageError', message }),
    )
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
