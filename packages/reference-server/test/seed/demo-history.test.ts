import { verifyWebhook } from '@formwire/webhook-verify'
import { afterEach, describe, expect, it } from 'vitest'
import { createReferenceServer, type ReferenceServer } from '../../src/index.ts'
import { seededRandom } from '../../src/random.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const DAY_MS = 86_400_000

let servers: ReferenceServer[] = []
afterEach(async () => {
  for (const server of servers) await server.close()
  servers = []
})

async function startDemo(): Promise<ReferenceServer> {
  const server = createReferenceServer({
    seed: 'demo',
    clock: 'manual',
    now: NOW,
    random: seededRandom(7),
    adminToken: 'token',
  })
  servers.push(server)
  await server.ready
  return server
}

const detailsOf = ({ app }: ReferenceServer) =>
  [...app.deliveries.logs(Number.POSITIVE_INFINITY)].flat().map(({ id }) => app.deliveries.get(id))

async function app(server: ReferenceServer, path: string, body?: object) {
  const response = await server.fetch(`http://127.0.0.1/_app${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: 'Bearer token', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as { data: never } }
}

describe('the history of the demo', () => {
  it('has a week of deliveries in every state, with every error class', async () => {
    const deliveries = detailsOf(await startDemo())
    const ages = deliveries.map(({ created_at: at }) => (NOW - Date.parse(at)) / DAY_MS)
    expect(Math.max(...ages)).toBeGreaterThan(6)
    expect(Math.max(...ages)).toBeLessThanOrEqual(7)
    expect(Math.min(...ages)).toBeLessThan(1)
    const count = (status: string) => deliveries.filter((one) => one.status === status).length
    expect(count('delivered')).toBeGreaterThan(60)
    expect(count('failed')).toBeGreaterThan(10)
    expect(count('pending')).toBeGreaterThan(0)
    const errors = new Set(deliveries.flatMap(({ attempts }) => attempts.map(({ error }) => error)))
    expect([...errors].map(String).sort()).toEqual(
      [
        'address_refused',
        'dns',
        'http_301',
        'http_404',
        'http_410',
        'http_429',
        'http_500',
        'http_502',
        'http_503',
        'null',
        'protocol',
        'refused',
        'reset',
        'timeout',
        'tls',
      ].sort(),
    )
  })

  it('[DLV-06] follows the retry schedule, and has notes where a pause ended it', async () => {
    const deliveries = detailsOf(await startDemo())
    const exhausted = deliveries.filter(({ attempts }) => attempts.length === 6)
    expect(exhausted.length).toBeGreaterThan(0)
    for (const { attempts, created_at: createdAt, status, note } of exhausted) {
      expect([status, note]).toEqual(['failed', null])
      expect(attempts[0]?.started_at).toBe(createdAt)
      const pauses = attempts.slice(1).map(({ started_at: at }, index) => {
        const before = attempts[index] as (typeof attempts)[0]
        return Date.parse(at) - Date.parse(before.started_at) - before.duration_ms
      })
      expect(pauses).toEqual([60_000, 300_000, 1_800_000, 7_200_000, 43_200_000])
    }
    const paused = deliveries.filter(({ note }) => note !== null)
    expect(paused.length).toBeGreaterThan(0)
    for (const { status, note } of paused)
      expect([status, note]).toEqual([
        'failed',
        'The endpoint is paused. Resume it and replay this delivery.',
      ])
  })

  it('[DLV-04] has valid signatures', async () => {
    const server = await startDemo()
    const { state } = server.app.snapshot.take()
    const secrets = new Map(state.endpoints.endpoints.map(({ id, secret }) => [id, secret]))
    for (const { id, raw_body: body, webhook_id: endpoint, attempts } of detailsOf(server).slice(0, 20)) {
      for (const { signature, timestamp } of attempts) {
        const event = verifyWebhook({
          secret: secrets.get(endpoint) as string,
          headers: {
            'x-service-signature': signature,
            'x-service-timestamp': String(timestamp),
            'x-service-delivery': id,
            'x-service-event': 'response.submitted',
          },
          body: body as string,
          now: timestamp * 1000,
        })
        expect(event.type).toBe('response.submitted')
      }
    }
  })

  it('is the same for the same clock and random source', async () => {
    const [one, two] = [await startDemo(), await startDemo()]
    expect(detailsOf(one)).toEqual(detailsOf(two))
    expect(one.app.requests.list().map(({ path, received_at: at }) => [path, at])).toEqual(
      two.app.requests.list().map(({ path, received_at: at }) => [path, at]),
    )
  })

  it('sends nothing within the first seconds, and only to the built-in receiver', async () => {
    const server = await startDemo()
    const active = server.app.webhooks.all().filter((endpoint) => endpoint.active)
    expect(active.map(({ built_in: isBuiltIn }) => isBuiltIn)).toEqual([true, true])
    const pending = detailsOf(server).filter(({ status }) => status === 'pending')
    for (const { next_attempt_at: at, webhook_id: id } of pending) {
      expect(Date.parse(at as string) - NOW).toBeGreaterThan(10_000)
      expect(active.map((endpoint) => endpoint.id)).toContain(id)
    }
  })

  it('has a day of API requests of several clients, without keys', async () => {
    const server = await startDemo()
    const requests = server.app.requests.list()
    expect(requests.length).toBeGreaterThan(80)
    expect(new Set(requests.map(({ user_agent: agent }) => agent)).size).toBe(4)
    expect([...new Set(requests.map(({ status }) => status))].sort()).toEqual([200, 401, 403, 404, 422, 429])
    const oldest = requests.at(-1)
    expect(NOW - Date.parse(oldest?.received_at as string)).toBeLessThanOrEqual(DAY_MS)
    expect(requests.map(({ number }) => number)).toEqual(requests.map((_, index) => requests.length - index))
    expect(JSON.stringify(requests)).not.toContain(server.writeKey)
  })

  it('does not have the bodies of most API requests, and refuses to send those again that need one', async () => {
    const server = await startDemo()
    const details = server.app.requests.list().map(({ number }) => server.app.requests.get(String(number)))
    for (const detail of details) {
      const isKept = detail?.request_headers !== null
      expect(isKept).toBe(detail?.response_headers !== null)
      if (isKept)
        expect([detail?.method, detail?.response_body]).toEqual([
          expect.stringMatching(/GET|DELETE/),
          expect.anything(),
        ])
    }
    expect(details.some((detail) => detail?.request_headers)).toBe(true)
    const numberOf = (wanted: string) => details.find((detail) => detail?.method === wanted)?.number
    for (const method of ['PATCH', 'POST']) {
      const refused = await app(server, `/requests/${numberOf(method)}/replay`, {})
      expect(refused).toMatchObject({ status: 422, body: { error: { code: 'validation_failed' } } })
    }
    expect((await app(server, `/requests/${numberOf('GET')}/replay`, {})).status).toBe(201)
  })

  it('has API requests that were refused with the errors of the API', async () => {
    const server = await startDemo()
    const refused = server.app.requests.list().filter(({ status }) => status >= 400)
    expect(new Set(refused.map(({ error }) => error?.message)).size).toBe(6)
    for (const { method, path, query, key_prefix: prefix, error } of refused) {
      // The history has no bodies, and no crowd of requests.
      if (error?.code === 'rate_limited') continue
      const key = method === 'GET' || method === 'PATCH' ? server.readKey : server.writeKey
      const response = await server.fetch(`http://127.0.0.1${path}?${query}`, {
        method,
        headers: {
          ...(prefix !== null && { authorization: `Bearer ${key}` }),
          'content-type': 'application/json',
        },
        ...(method === 'POST' && { body: '{"url":"https://10.0.0.8/hooks"}' }),
        ...(method === 'PATCH' && { body: '{"title":"Another"}' }),
      })
      const { code, message } = ((await response.json()) as { error: { code: string; message: string } })
        .error
      expect({ method, path, code, message }).toEqual({ method, path, ...error })
    }
  })

  it('[RATE-01] has the message of the rate limit', async () => {
    const server = await startDemo()
    const refused = server.app.requests.list().find(({ status }) => status === 429)
    const limited = createReferenceServer({ limits: { requestsPerMinute: 1 } })
    servers.push(limited)
    const ask = () =>
      limited.fetch('http://127.0.0.1/api/v1/me', { headers: { authorization: `Bearer ${limited.readKey}` } })
    await ask()
    expect(await (await ask()).json()).toMatchObject({ error: refused?.error })
  })

  it('does not satisfy a wait: only what a test does counts', async () => {
    const server = await startDemo()
    const wait = (subject: string, match: object) =>
      app(server, '/wait', { for: subject, match, timeout_ms: 0 }).then(({ status }) => status)
    expect(await wait('request', { path: '/api/v1/me' })).toBe(408)
    expect(await wait('delivery', { status: 'delivered' })).toBe(408)
    await server.fetch('http://127.0.0.1/api/v1/me', {
      headers: { authorization: `Bearer ${server.readKey}` },
    })
    server.app.responses.create('guestvoice01', {
      answers: [{ question_id: 'nps', value: 9 }],
      deliver: true,
    })
    expect(await wait('request', { path: '/api/v1/me' })).toBe(200)
    expect(await wait('delivery', { form_id: 'guestvoice01', status: 'pending' })).toBe(200)
  })

  it('satisfies a wait for a delivery that changes: a test advanced the clock', async () => {
    const server = await startDemo()
    const [pending] = detailsOf(server).filter(({ status }) => status === 'pending')
    const wait = () =>
      app(server, '/wait', { for: 'delivery', match: { id: pending?.id }, timeout_ms: 0 }).then(
        ({ status }) => status,
      )
    expect(await wait()).toBe(408)
    await app(server, '/clock/advance', { by: '16h' })
    expect(await wait()).toBe(200)
  })

  it('is there again after a reset', async () => {
    const server = await startDemo()
    const [deliveries, requests] = [detailsOf(server), server.app.requests.list().length]
    await server.clock.advance('1d')
    server.app.requests.clear()
    await app(server, '/reset', {})
    expect(detailsOf(server)).toEqual(deliveries)
    expect(server.app.requests.list()).toHaveLength(requests)
  })
})
