import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import * as sdk from '../../src/index.ts'
import { fakeTransport, type Step } from '../support/fake-transport.ts'
import { ManualClock } from '../support/manual-clock.ts'

const KEY = 'svc_verySecretKey123'

function failure(step: Step, call = (f: sdk.Formwire): PromiseLike<unknown> => f.me()) {
  const clock = new ManualClock()
  const formwire = new sdk.Formwire({ apiKey: KEY, transport: fakeTransport(step), clock, maxRetries: 0 })
  return clock.failureOf(call(formwire)) as Promise<sdk.ApiError>
}

const envelope = (status: number, code: string, details?: object): Step => ({
  status,
  headers: { 'x-request-id': 'req_9' },
  body: { error: { code, message: 'Because.', ...(details ? { details } : {}) } },
})

describe('errors of the service', () => {
  it.each([
    [400, 'bad_request', 'BadRequestError'],
    [401, 'unauthorized', 'UnauthorizedError'],
    [403, 'forbidden', 'ForbiddenError'],
    [404, 'not_found', 'NotFoundError'],
    [422, 'validation_failed', 'ValidationError'],
    [429, 'rate_limited', 'RateLimitError'],
    [500, 'server_error', 'ServerError'],
    // Codes decide; statuses stand in for codes that are not documented.
    [400, 'validation_failed', 'ValidationError'],
    [413, 'bad_request', 'BadRequestError'],
    [409, 'conflict', 'ApiError'],
    [503, 'maintenance', 'ServerError'],
    [422, 'too_clever', 'ValidationError'],
    [404, 'constructor', 'NotFoundError'],
    [409, 'rate_limited', 'RateLimitError'],
    [429, 'slow_down', 'RateLimitError'],
  ])('%d %s is a %s', async (status, code, name) => {
    const error = await failure(envelope(status, code, { field: 'title', more: { deep: 1 } }))
    const Class = new Map<string, unknown>(Object.entries(sdk)).get(name)
    expect(error).toBeInstanceOf(Class)
    expect(error).toBeInstanceOf(sdk.ApiError)
    expect(error).toBeInstanceOf(sdk.FormwireError)
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({
      name,
      status,
      code,
      details: { field: 'title', more: { deep: 1 } },
      requestId: 'req_9',
      method: 'GET',
      path: '/me',
      attempts: 1,
      envelope: true,
    })
    if (error instanceof sdk.ValidationError) expect(error.field).toBe('title')
    expect(error.headers.get('x-request-id')).toBe('req_9')
    expect(error.message).toContain(`GET /me returned ${status} ${code}: Because.`)
    expect(error.message).toContain('req_9')
  })

  it.each([
    ['an HTML page', 502, { 'content-type': 'text/html' }, '<html>Bad gateway</html>', 'ServerError'],
    ['an HTML page', 503, { 'content-type': 'text/html' }, '<html>', 'ServerError'],
    ['an empty body', 504, {}, '', 'ServerError'],
    ['an empty body', 404, {}, '', 'NotFoundError'],
    ['an HTML page', 401, { 'content-type': 'text/html' }, '<html>', 'UnauthorizedError'],
    ['truncated JSON', 500, {}, '{"error":{"code":"serv', 'ServerError'],
    ['JSON of something else', 403, {}, '"no"', 'ForbiddenError'],
    ['JSON of something else', 418, {}, '{"error":"teapot"}', 'ApiError'],
  ])('%s with %d is a typed error, not a SyntaxError', async (_what, status, headers, body, name) => {
    const error = await failure({ status, headers, body })
    expect(error).toMatchObject({ name, status, envelope: false })
    expect(error.message).not.toContain('html>')
  })

  it.each([
    ['an HTML page', { 'content-type': 'text/html' }, '<html>', /text\/html/],
    ['truncated JSON', {}, '{"data":{"user":', /invalid or truncated/],
    ['an empty body', {}, '', /empty/],
    ['no data', {}, '{"dat":{}}', /no "data"/],
    ['data that is a list', {}, '{"data":[]}', /not an object/],
    ['null', {}, 'null', /no "data"/],
    ['a number', {}, '5', /no "data"/],
  ])('200 with %s is a DecodeError', async (_what, headers, body, message) => {
    const error = await failure({ status: 200, headers: { ...headers, 'x-request-id': 'req_9' }, body })
    expect(error).toBeInstanceOf(sdk.DecodeError)
    expect(error).toMatchObject({ status: 200, requestId: 'req_9', attempts: 1 })
    expect(error.message).toMatch(message)
    expect(error.cause).toBeUndefined()
  })

  it.each<[string, object, (f: sdk.Formwire) => PromiseLike<unknown>]>([
    ['a response', { id: 0 }, (f) => f.responses.get('abcdefghijkl', 1)],
    ['a deletion', { id: 0, deleted: true }, (f) => f.responses.delete('abcdefghijkl', 1)],
    ['a user', { user: { id: 0 } }, (f) => f.me()],
    ['a workspace', { workspace: { id: 0 } }, (f) => f.me()],
    ['a key', { key: { id: 0 } }, (f) => f.me()],
    ['a list', [{ id: 1 }, { id: 0 }], (f) => f.webhooks.list('abcdefghijkl')],
  ])(
    'rejects an id of 2^53 and above in %s, which JSON numbers cannot represent, and accepts 2^53 - 1',
    async (_what, data, call) => {
      const bodyWith = (id: string): string =>
        `{"data":${JSON.stringify(data).replace('"id":0', `"id":${id}`)}}`
      for (const id of ['9007199254740992', '9007199254740993', '123456789012345678901234567890']) {
        const error = await failure({ body: bodyWith(id) }, call)
        expect(error).toBeInstanceOf(sdk.DecodeError)
        expect(error.message).toMatch(/ returned 200, but an id in "data" exceeds 2\^53 - 1\.$/)
      }
      const clock = new ManualClock()
      const transport = fakeTransport({ body: bodyWith('9007199254740991') })
      await clock.runUntil(Promise.resolve(call(new sdk.Formwire({ apiKey: KEY, transport, clock }))))
    },
  )
})

describe('what errors never show', () => {
  const everything = (error: unknown): string =>
    `${inspect(error, { depth: 20, showHidden: true })} ${JSON.stringify(error)} ${(error as Error).stack}`

  it('[AUTH-02] the key, even if the service, a header or a transport quotes it', async () => {
    const echo = await failure({
      status: 401,
      headers: { 'x-debug': `Bearer ${KEY}` },
      body: {
        error: {
          code: 'unauthorized',
          message: `Bad key ${KEY}`,
          details: { key: KEY, list: [KEY], [KEY]: 1 },
        },
      },
    })
    expect(everything(echo)).not.toContain(KEY)
    expect(echo.message).toContain('Bad key [redacted]')
    const thrown = await failure(
      new TypeError('fetch failed', {
        cause: Object.assign(new Error('bad header'), { headers: { authorization: `Bearer ${KEY}` } }),
      }),
    )
    expect(thrown).toBeInstanceOf(sdk.ConnectionError)
    expect(everything(thrown)).not.toContain(KEY)
  })

  it('[AUTH-02] cookies of a proxy', async () => {
    const error = await failure({ status: 401, headers: { 'set-cookie': 'session=1' } })
    expect(error.headers.get('set-cookie')).toBeNull()
  })

  it('[AUTH-02] the key anywhere in a cause', async () => {
    const cycle = Object.assign(new Error('cyclic'), { headers: new Map([['authorization', KEY]]) })
    const causes: unknown[] = [
      Object.assign(cycle, { self: cycle }),
      Object.assign(new Error('with its request'), {
        request: new Request('http://x.test', { headers: { authorization: `Bearer ${KEY}` } }),
      }),
      new AggregateError([new Error(KEY)], 'several'),
      Object.defineProperty(new Error('hidden'), 'options', { value: { headers: [KEY] } }),
      Object.assign(Object.create(null), { key: KEY }),
      new Error('deep', { cause: { [Symbol('state')]: new Headers({ authorization: KEY }) } }),
    ]
    for (const cause of causes) {
      const error = await failure(() => {
        throw cause
      })
      expect(error).toBeInstanceOf(sdk.ConnectionError)
      expect(everything(error)).not.toContain(KEY)
      expect(inspect(error, { depth: 20, showHidden: true, getters: true })).not.toContain(KEY)
      expect((error.cause as { request?: Request }).request).toBeUndefined()
    }
  })

  it('[AUTH-02] the key in a response that echoes it as its request id or content type', async () => {
    const headers = { 'x-request-id': KEY, 'content-type': `text/${KEY}` }
    for (const status of [200, 401, 500]) {
      const error = await failure({ status, headers, body: 'x' })
      expect(everything(error)).not.toContain(KEY)
    }
  })

  it('[AUTH-02] the key in the reason of a signal', async () => {
    const signal = AbortSignal.abort(new Error(`no more ${KEY}`))
    const error = await failure({ status: 200 }, (formwire) => formwire.me({ signal }))
    expect(error).toBeInstanceOf(sdk.AbortError)
    expect(everything(error)).not.toContain(KEY)
  })

  it('request and response bodies', async () => {
    const sent = await failure(envelope(422, 'validation_failed'), (f) =>
      f.forms.rename('abcdefghijkl', 'a private title'),
    )
    expect(everything(sent)).not.toContain('private')
    const came = await failure({ status: 200, body: '{"data": secret-body' })
    expect(everything(came)).not.toContain('secret-body')
  })

  it('[AUTH-02] the key in a client, its options or its log lines', async () => {
    const lines: unknown[] = []
    const log = (...line: unknown[]): unknown => lines.push(line)
    const logger = { debug: log, info: log, warn: log, error: log }
    const clock = new ManualClock()
    const formwire = new sdk.Formwire({
      apiKey: KEY,
      transport: fakeTransport({ status: 503 }, { body: { data: {} } }),
      clock,
      logger,
      logLevel: 'debug',
      onRetry: () => {
        throw new Error('a broken hook')
      },
    })
    await clock.runUntil(formwire.me())
    expect(lines.length).toBeGreaterThan(3)
    expect(inspect([formwire, lines], { depth: 20, showHidden: true })).not.toContain(KEY)
  })
})

describe('instanceof and the guards', () => {
  it('does not take an error of the package for one of a subclass that an integrator defined', async () => {
    class Mine extends sdk.NotFoundError {}
    const error = await failure(envelope(404, 'not_found'))
    expect(error instanceof Mine).toBe(false)
    expect(
      new Mine({ status: 404, code: 'not_found', reason: '', headers: new Headers(), envelope: true }),
    ).toBeInstanceOf(Mine)
  })

  it('has a guard for every class', () => {
    const classes = Object.entries(sdk).filter(([name]) => name.endsWith('Error') && !name.startsWith('is'))
    expect(classes.length).toBe(20)
    for (const [name] of classes)
      expect(new Map<string, unknown>(Object.entries(sdk)).get(`is${name}`), name).toBeTypeOf('function')
  })
})
