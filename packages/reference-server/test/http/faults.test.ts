import type { Fault } from '@formwire/contract/control'
import { afterEach, describe, expect, it } from 'vitest'
import { createSeedFactory, type FormwireKit, startFormwire } from '../../src/testing/index.ts'

const make = await createSeedFactory(5)
const FORM = 'faultyform01'
const SEED = make.seed(make.form({ id: FORM, responses: 2 }))
const PATH = `/api/v1/forms/${FORM}`

const kits: FormwireKit[] = []
afterEach(() => Promise.all(kits.splice(0).map((kit) => kit.close())))

/** In process and over a socket, with faults set in process or through `/_app/faults`. */
const transports = [
  { transport: 'in process', listen: false },
  { transport: 'over a socket', listen: true },
] as const

describe.each(transports)('faults $transport', ({ listen }) => {
  async function start(...faults: Fault[]): Promise<FormwireKit> {
    const kit = await startFormwire({ seed: SEED, listen })
    kits.push(kit)
    for (const fault of faults) {
      const response = await kit.clientOptions.fetch(`${kit.clientOptions.baseUrl}/_app/faults`, {
        method: 'POST',
        headers: { authorization: `Bearer ${kit.server.adminToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(fault),
      })
      expect(response.status).toBe(201)
    }
    return kit
  }
  const ask = (kit: FormwireKit, path = PATH, init: RequestInit = {}) =>
    kit.clientOptions.fetch(kit.clientOptions.baseUrl + path, {
      ...init,
      headers: {
        authorization: `Bearer ${kit.clientOptions.apiKey}`,
        ...(init.body ? { 'content-type': 'application/json' } : {}),
      },
    })
  const statuses = async (kit: FormwireKit, count: number, path = PATH) => {
    const seen: number[] = []
    for (let sent = 0; sent < count; sent += 1) seen.push((await ask(kit, path)).status)
    return seen
  }
  const rename = (kit: FormwireKit, title: string) =>
    ask(kit, PATH, { method: 'PATCH', body: JSON.stringify({ title }) })
  const titleOf = (kit: FormwireKit) => kit.server.app.forms.get(FORM).title

  it('apply to the given number of requests and count them', async () => {
    const kit = await start({ status: 503, times: 2 })
    expect(kit.server.app.faults.list()).toMatchObject([{ id: 1, status: 503, times: 2, met: 0 }])
    expect(await statuses(kit, 1)).toEqual([503])
    expect(kit.server.app.faults.list()).toMatchObject([{ times: 1, met: 1 }])
    expect(await statuses(kit, 2)).toEqual([503, 200])
    expect(kit.server.app.faults.list()).toEqual([])
  })

  it('apply by method and by path segments', async () => {
    const kit = await start({ path: '/api/v1/forms/*', method: 'get', status: 500 })
    expect((await ask(kit)).status).toBe(500)
    expect((await ask(kit, '/api/v1/forms')).status).toBe(200)
    expect((await rename(kit, 'Other')).status).toBe(200)
    expect((await ask(kit, `${PATH}/responses`)).status).toBe(200)
  })

  it('apply to a share of requests by probability, deterministically per seed', async () => {
    const [one, two, other] = await Promise.all([
      start({ status: 503, probability: 0.3, seed: 7 }),
      start({ status: 503, probability: 0.3, seed: 7 }),
      start({ status: 503, probability: 0.3, seed: 8 }),
    ])
    const first = await statuses(one, 100)
    expect(await statuses(two, 100)).toEqual(first)
    expect(await statuses(other, 100)).not.toEqual(first)
    const struck = first.filter((status) => status === 503).length
    expect(struck).toBeGreaterThan(15)
    expect(struck).toBeLessThan(45)
  })

  it('fall through to the next fault when they skip a request', async () => {
    const kit = await start({ status: 503, probability: 0 }, { status: 500 })
    expect(await statuses(kit, 2)).toEqual([500, 500])
  })

  it('[ERR-05] return 429 with the given Retry-After, in seconds or as a date', async () => {
    const kit = await start(
      { status: 429, retry_after: 7, times: 1 },
      { status: 429, retry_after: 'Sat, 21 Nov 2026 12:00:30 GMT', times: 1 },
    )
    const seconds = await ask(kit)
    expect([seconds.status, seconds.headers.get('retry-after')]).toEqual([429, '7'])
    expect(await seconds.json()).toEqual({ error: { code: 'rate_limited', message: 'Injected fault.' } })
    expect((await ask(kit)).headers.get('retry-after')).toBe('Sat, 21 Nov 2026 12:00:30 GMT')
  })

  it('return an HTML page of a proxy, JSON, or an empty body', async () => {
    const kit = await start(
      { status: 502, times: 1 },
      { status: 422, times: 1 },
      { status: 500, body: 'html', times: 1 },
      { status: 500, body: 'empty', times: 1 },
    )
    const html = await ask(kit)
    expect([html.status, html.headers.get('content-type')]).toEqual([502, 'text/html; charset=utf-8'])
    expect(await html.text()).toContain('<h1>502</h1>')
    expect(await (await ask(kit)).json()).toMatchObject({ error: { code: 'validation_failed' } })
    expect(await (await ask(kit)).text()).toContain('<h1>500</h1>')
    const empty = await ask(kit)
    expect([empty.status, await empty.text()]).toEqual([500, ''])
  })

  it('wait real milliseconds before the request is processed', async () => {
    const kit = await start({ delay_ms: 30 })
    const began = performance.now()
    expect((await ask(kit)).status).toBe(200)
    expect(performance.now() - began).toBeGreaterThanOrEqual(28)
  })

  it.each(['before', true] as const)(
    'reset the connection (%s) before the request is processed',
    async (reset) => {
      const kit = await start({ reset })
      await expect(rename(kit, 'Renamed')).rejects.toThrow('fetch failed')
      expect(titleOf(kit)).not.toBe('Renamed')
    },
  )

  it('reset the connection after the request is processed, without a response', async () => {
    const kit = await start({ reset: 'unanswered' })
    await expect(rename(kit, 'Renamed')).rejects.toThrow('fetch failed')
    expect(titleOf(kit)).toBe('Renamed')
  })

  it('reset the connection in the middle of the response', async () => {
    const kit = await start({ reset: 'middle' })
    const response = await ask(kit)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow('terminated')
  })

  it('reset the connection after the whole response', async () => {
    const kit = await start({ reset: 'after' })
    const response = await ask(kit)
    expect(await response.json()).toMatchObject({ data: { id: FORM } })
    expect((await ask(kit)).status).toBe(200)
  })

  it('truncate JSON', async () => {
    const kit = await start({ truncate: true })
    const response = await ask(kit)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
    await expect(response.json()).rejects.toThrow(SyntaxError)
  })

  it('return a wrong content type', async () => {
    const kit = await start({ content_type: 'text/plain' })
    const response = await ask(kit)
    expect(response.headers.get('content-type')).toBe('text/plain')
    expect(await response.json()).toMatchObject({ data: { id: FORM } })
  })

  it('send the body slowly', async () => {
    const kit = await start({ drip_ms: 1, drip_bytes: 64 })
    const response = await ask(kit)
    let pieces = 0
    let text = ''
    const decoder = new TextDecoder()
    for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
      pieces += 1
      text += decoder.decode(piece, { stream: true })
    }
    expect(JSON.parse(text)).toMatchObject({ data: { id: FORM } })
    expect(pieces).toBeGreaterThan(3)
  })

  it('send half of the body slowly, then close the connection', async () => {
    const kit = await start({ drip_ms: 1, drip_bytes: 64, reset: 'middle', times: 1 })
    const response = await ask(kit)
    expect(response.status).toBe(200)
    let text = ''
    const read = async () => {
      const decoder = new TextDecoder()
      for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
        text += decoder.decode(piece, { stream: true })
      }
    }
    await expect(read()).rejects.toThrow('terminated')
    const whole = await (await ask(kit)).text()
    expect(whole.startsWith(text)).toBe(true)
    expect(text.length / whole.length).toBeCloseTo(0.5, 1)
  })

  it('send the whole body slowly, then close the connection', async () => {
    const kit = await start({ drip_ms: 1, drip_bytes: 64, reset: 'after', times: 1 })
    expect(await (await ask(kit)).json()).toMatchObject({ data: { id: FORM } })
    expect((await ask(kit)).status).toBe(200)
  })

  it('are removed one by one or all together', async () => {
    const kit = await start({ status: 500 }, { status: 503 })
    const control = (path: string) =>
      kit.clientOptions.fetch(`${kit.clientOptions.baseUrl}/_app/faults${path}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${kit.server.adminToken}` },
      })
    expect((await control('/1')).status).toBe(200)
    expect((await control('/1')).status).toBe(404)
    expect(await statuses(kit, 1)).toEqual([503])
    expect((await control('')).status).toBe(200)
    expect(await statuses(kit, 1)).toEqual([200])
  })

  it('do not affect the control API', async () => {
    const kit = await start({ reset: true })
    const health = await kit.clientOptions.fetch(`${kit.clientOptions.baseUrl}/_app/health`)
    expect(health.status).toBe(200)
  })
})

describe('an invalid fault', () => {
  it.each([
    '/api/v1',
    '/api/v1/me',
    '/api/v1/*/responses',
    '/*/*/me',
    '/api/*/me',
    '/f',
    '/f/*',
    '/*/survey',
  ])('is rejected for the path %s', async (path) => {
    const kit = await startFormwire()
    kits.push(kit)
    expect(kit.server.app.faults.add({ path })).toMatchObject({ path })
  })

  it.each([
    [{ statsu: 500 }, 'statsu', 'Unknown field "statsu"; did you mean "status"?'],
    [{ status: 99 }, 'status', 'status must be an integer from 200 to 599, got 99.'],
    [{ probability: 2 }, 'probability', 'probability must be a number from 0 to 1, got 2.'],
    [{ seed: -1 }, 'seed', 'seed must be an integer from 0 to 4294967295, got -1.'],
    [{ reset: 'later' }, 'reset', 'must be true, false, before, unanswered, middle or after, got "later".'],
    [{ times: 0 }, 'times', 'times must be an integer of at least 1, got 0.'],
    [{ path: 'api' }, 'path', 'path must be a path under /api/v1 or /f, such as /api/v1/forms/*, got "api".'],
    [{ path: '/_app/forms' }, 'path', 'got "/_app/forms".'],
    [{ path: '/_app/*' }, 'path', 'got "/_app/*".'],
    [{ path: '/openapi.json' }, 'path', 'got "/openapi.json".'],
    [{ path: '/' }, 'path', 'got "/".'],
    [{ path: '/me' }, 'path', 'got "/me".'],
    [{ path: '/api/v2/me' }, 'path', 'got "/api/v2/me".'],
    [{ path: '/api/v1x' }, 'path', 'got "/api/v1x".'],
    [{ path: '/forms' }, 'path', 'got "/forms".'],
    [{ path: '/api' }, 'path', 'got "/api".'],
    // The query is not part of the path, so such a fault would never apply.
    [{ path: '/api/v1/forms?page=2' }, 'path', 'got "/api/v1/forms?page=2".'],
    [{ path: 5 }, 'path', 'got 5.'],
    [{ retry_after: -1 }, 'retry_after', 'retry_after must be seconds or an HTTP date, got '],
    [{ retry_after: 'a\r\nb' }, 'retry_after', 'retry_after must be seconds or an HTTP date, got '],
    [{ body: 'html' }, 'body', 'body requires status.'],
    [{ drip_bytes: 0 }, 'drip_bytes', 'drip_bytes must be an integer from 1 to 1048576, got 0.'],
    [{ truncate: 'yes' }, 'truncate', 'truncate must be true or false, got "yes".'],
  ])('is rejected for %j with the field %s', async (fault, field, message) => {
    const kit = await startFormwire()
    kits.push(kit)
    const response = await kit.clientOptions.fetch(`${kit.clientOptions.baseUrl}/_app/faults`, {
      method: 'POST',
      headers: { authorization: `Bearer ${kit.server.adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(fault),
    })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({
      error: { details: { field }, message: expect.stringContaining(message) },
    })
    expect(kit.server.app.faults.list()).toEqual([])
  })
})
