import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import {
  AbortError,
  ConnectionError,
  Formwire,
  type FormwireOptions,
  NotFoundError,
  OutcomeUnknownError,
  RateLimitError,
  ServerError,
  TimeoutError,
  type Transport,
} from '../../src/index.ts'
import { fakeTransport, type Step, systemError } from '../support/fake-transport.ts'
import { ManualClock, settled } from '../support/manual-clock.ts'

const me = { body: { data: { user: { id: 1 }, workspace: {}, key: {} } } }
const down = { status: 503, body: { error: { code: 'server_error', message: 'down' } } }
const gone = { status: 404, body: { error: { code: 'not_found', message: 'No such response.' } } }
const limited = {
  status: 429,
  headers: { 'retry-after': '60' },
  body: { error: { code: 'rate_limited', message: 'slow' } },
}

function setUp(transport: Transport, options: FormwireOptions = {}) {
  const clock = new ManualClock()
  const formwire = new Formwire({ apiKey: 'svc_k', transport, clock, random: () => 0.5, ...options })
  return { clock, formwire }
}

const failure = (clock: ManualClock, call: PromiseLike<unknown>) => clock.failureOf(call) as Promise<Error>

describe('sending a call', () => {
  it('makes one transport call per attempt, with the key only in the header', async () => {
    const transport = fakeTransport(down, systemError('ECONNRESET', 'read'), me)
    const { clock, formwire } = setUp(transport)
    const { data, response } = await clock.runUntil(formwire.me().withResponse())
    expect(data.user).toEqual({ id: 1 })
    expect(response.attempts).toBe(3)
    expect(transport.requests.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', 'http://formwire.test/api/v1/me', undefined],
      ['GET', 'http://formwire.test/api/v1/me', undefined],
      ['GET', 'http://formwire.test/api/v1/me', undefined],
    ])
    expect(transport.requests[0]?.headers.authorization).toBe('Bearer svc_k')
  })

  it('[ERR-05] throws RateLimitError immediately if Retry-After exceeds totalTimeoutMs, and the next call sends nothing', async () => {
    const transport = fakeTransport({ ...limited, headers: { 'retry-after': '3600' } })
    const { clock, formwire } = setUp(transport)
    const error = await failure(clock, formwire.me())
    expect(error).toBeInstanceOf(RateLimitError)
    expect((error as RateLimitError).retryAfterMs).toBe(3_600_000)
    const held = (await failure(clock, formwire.me())) as RateLimitError
    expect(held).toBeInstanceOf(RateLimitError)
    expect(held.attempts).toBe(0)
    expect(transport.requests).toHaveLength(1)
  })

  it.each([
    ['100000000000000000000', 1e23],
    ['9'.repeat(400), Number.POSITIVE_INFINITY],
    ['Fri, 31 Dec 9999 23:59:59 GMT', Date.UTC(9999, 11, 31, 23, 59, 59) - Date.UTC(2026, 10, 21)],
  ])(
    '[ERR-05] blocks the key for at most an hour after Retry-After: %s, and logs it',
    async (value, retryAfterMs) => {
      const lines: unknown[] = []
      const log = (...line: unknown[]): unknown => lines.push(line)
      const transport = fakeTransport({ ...limited, headers: { 'retry-after': value } }, me)
      const { clock, formwire } = setUp(transport, {
        logger: { debug: log, info: log, warn: log, error: log },
      })
      const error = (await failure(clock, formwire.me())) as RateLimitError
      expect(error).toBeInstanceOf(RateLimitError)
      expect(error.retryAfterMs).toBe(retryAfterMs)
      expect(formwire.budget.heldForMs).toBe(3_600_000)
      expect(lines).toEqual([
        [
          'formwire: Retry-After exceeds one hour; other calls wait one hour',
          { method: 'GET', path: '/me', attempts: 1, retryAfterMs },
        ],
      ])
      await clock.advance(3_600_000)
      expect(await formwire.me()).toEqual(me.body.data)
      expect(transport.requests).toHaveLength(2)
    },
  )

  it('throws the error of the last attempt with the number of attempts after maxRetries', async () => {
    const transport = fakeTransport(down)
    const { clock, formwire } = setUp(transport)
    const error = (await failure(clock, formwire.me())) as ServerError
    expect(error).toBeInstanceOf(ServerError)
    expect(error.attempts).toBe(4)
    expect(transport.requests).toHaveLength(4)
    const none = (await failure(clock, formwire.me({ maxRetries: 0 }))) as ServerError
    expect(none.attempts).toBe(1)
  })

  it.each([
    ['500', down],
    ['a reset', systemError('ECONNRESET', 'read')],
    ['a truncated response', { status: 201, body: '{"data":{"id":7,' }],
  ])('sends a POST whose response is lost (%s) once, and explains how to find out', async (_name, step) => {
    const transport = fakeTransport(step)
    const { clock, formwire } = setUp(transport)
    const error = await failure(
      clock,
      formwire.webhooks.create('abcdefghijkl', { url: 'https://x.example/hook?token=t' }),
    )
    expect(error).toBeInstanceOf(OutcomeUnknownError)
    expect(error.message).toContain('webhooks.list("abcdefghijkl")')
    expect(error.message).not.toContain('token=t')
    expect(error.cause).toBeInstanceOf(Error)
    expect(transport.requests).toHaveLength(1)
  })

  it('counts a 404 of a retried DELETE as done, but not that of a first attempt', async () => {
    const deletion = (...script: Step[]) => {
      const { clock, formwire } = setUp(fakeTransport(...script))
      return clock.runUntil(formwire.responses.delete('abcdefghijkl', 42))
    }
    for (const lost of [systemError('ECONNRESET', 'read'), down, 'hang' as const])
      expect(await deletion(lost, gone)).toEqual({ id: 42, deleted: true })
    const page = { status: 404, headers: { 'content-type': 'text/html' }, body: '<html>' }
    for (const script of [[systemError('ECONNREFUSED', 'connect'), gone], [gone], [down, page]])
      await expect(deletion(...script)).rejects.toBeInstanceOf(NotFoundError)
  })

  it('names timeoutMs if both limits are equal, however much time passes between two clock reads', async () => {
    const clock = new ManualClock()
    let looks = 0
    const running = {
      now: () => {
        looks += 1
        return clock.now() + looks / 1000
      },
      setTimer: (callback: () => void, ms: number) => clock.setTimer(callback, ms),
    }
    const { formwire } = setUp(fakeTransport('hang'), {
      clock: running,
      timeoutMs: 1000,
      totalTimeoutMs: 1000,
      maxRetries: 0,
    })
    const error = await failure(clock, formwire.me())
    expect(error).toBeInstanceOf(TimeoutError)
    expect((error as TimeoutError).scope).toBe('attempt')
    expect(error.message).toBe('GET /me timed out before a complete response arrived (timeoutMs: 1000).')
  })

  it('ends an attempt at totalTimeoutMs if it comes before timeoutMs, and names that limit', async () => {
    const { clock, formwire } = setUp(fakeTransport(systemError('ECONNRESET', 'read'), 'hang'), {
      timeoutMs: 1000,
      totalTimeoutMs: 1100,
    })
    const started = clock.now()
    const error = await failure(clock, formwire.me())
    // Half of 500 ms of backoff, then 850 ms that are left of the whole call.
    expect(clock.now() - started).toBe(1100)
    expect(error).toMatchObject({ name: 'TimeoutError', scope: 'total', timeoutMs: 1100, attempts: 2 })
    expect(error.message).toBe('GET /me timed out before a complete response arrived (totalTimeoutMs: 1100).')
  })

  it('aborts before, during, between attempts and in the queue, and leaves no listener', async () => {
    const cases: [string, Transport, (clock: ManualClock) => Promise<void>, number][] = [
      ['during an attempt', fakeTransport('hang'), async () => settled(), 1],
      ['during backoff', fakeTransport({ ...limited }), async (clock) => clock.advance(30_000), 1],
      ['in the queue', fakeTransport(me), async () => settled(), 0],
    ]
    for (const [name, transport, until, attempts] of cases) {
      const { clock, formwire } = setUp(transport, { rateLimit: { perMinute: 1 } })
      if (name === 'in the queue') await formwire.me()
      const controller = new AbortController()
      const { signal } = controller
      const call = formwire.me({ signal }).then(
        () => undefined,
        (error: unknown) => error,
      )
      await until(clock)
      const reason = new Error('enough')
      controller.abort(reason)
      const error = (await call) as AbortError
      expect(error, name).toBeInstanceOf(AbortError)
      expect(error.cause, name).toBe(reason)
      expect(error.attempts, name).toBe(attempts)
      expect(getEventListeners(signal, 'abort'), name).toEqual([])
      expect(clock.pending, name).toBe(0)
    }
    const { clock, formwire } = setUp(fakeTransport(me))
    const error = await failure(clock, formwire.me({ signal: AbortSignal.abort('no') }))
    expect(error).toBeInstanceOf(AbortError)
  })

  it('leaves no timer and no listener after a success', async () => {
    const { signal } = new AbortController()
    const transport = fakeTransport(systemError('ECONNRESET', 'read'), me)
    const { clock, formwire } = setUp(transport, { rateLimit: { perMinute: 1 } })
    await clock.runUntil(formwire.me({ signal }))
    // The second attempt waited: in backoff, then for a place in the budget.
    expect(transport.requests).toHaveLength(2)
    expect(clock.pending).toBe(0)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('listens once to a signal that many requests share, so that Node does not warn of a leak', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const transport = fakeTransport((): Promise<object> => new Promise(() => undefined))
    const { formwire } = setUp(transport, { rateLimit: { perMinute: 20 } })
    // 20 are sent, 10 wait for a place in the budget.
    const calls = Array.from({ length: 30 }, () =>
      formwire.me({ signal }).catch((error: unknown) => (error as Error).name),
    )
    await settled()
    expect(transport.requests).toHaveLength(20)
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    controller.abort()
    expect(await Promise.all(calls)).toEqual(Array(30).fill('AbortError'))
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('reports the milliseconds of each attempt, without those of the waits', async () => {
    const transport = fakeTransport(
      (): Promise<object> =>
        new Promise((resolve) => {
          const response = transport.requests.length === 1 ? limited : me
          clock.setTimer(() => resolve(response), 250)
        }),
    )
    const durations: number[] = []
    const onResponse = ({ durationMs }: { durationMs: number }) => durations.push(durationMs)
    const { clock, formwire } = setUp(transport, { onResponse })
    await clock.runUntil(formwire.me())
    expect(durations).toEqual([250, 250])
  })
})

describe('a port that fetch blocks', () => {
  it('is reported as such, without a retry: nothing was sent', async () => {
    let attempts = 0
    const formwire = new Formwire({
      apiKey: 'svc_k',
      baseUrl: 'http://127.0.0.1:6000',
      onRequest: () => {
        attempts += 1
      },
    })
    const error = await formwire.me().then(undefined, (reason: unknown) => reason)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({
      message:
        'GET /me was not sent: fetch blocks the port of 127.0.0.1:6000; use another port or nodeTransport().',
      maybeSent: false,
    })
    expect(attempts).toBe(1)
  })
})
