import { afterEach, describe, expect, it } from 'vitest'
import type { Fault } from '../../src/app/faults.ts'
import { createSeedFactory, type FormwireKit, startFormwire } from '../../src/testing/index.ts'

const make = await createSeedFactory(5)
const FORM = 'faultyform01'
const SEED = make.seed(make.form({ id: FORM, responses: 2 }))
const PATH = `/api/v1/forms/${FORM}`

const kits: FormwireKit[] = []
afterEach(() => Promise.all(kits.splice(0).map((kit) => kit.close())))

/** In process and over a socket, set in process or over `/_app/faults`. */
const doors = [
  { door: 'in process', listen: false },
  { door: 'over a socket', listen: true },
] as const

describe.each(doors)('faults $door', ({ listen }) => {
  async function start(...faults: Fault[]): Promise<FormwireKit> {
    const kit = await startFormwire({ seed: SEED, listen })
    kits.push(kit)
    for (const fault of faults) {
      const answer = await kit.clientOptions.fetch(`${kit.clientOptions.baseUrl}/_app/faults`, {
        method: 'POST',
        headers: { authorization: `Bearer ${kit.server.adminToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(fault),
      })
      expect(answer.status).toBe(201)
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

  it('strike so many requests, and count what they met', async () => {
    const kit = await start({ status: 503, times: 2 })
    expect(kit.server.app.faults.list()).toMatchObject([{ id: 1, status: 503, times: 2, met: 0 }])
    expect(await statuses(kit, 1)).toEqual([503])
    expect(kit.server.app.faults.list()).toMatchObject([{ times: 1, met: 1 }])
    expect(await statuses(kit, 2)).toEqual([503, 200])
    expect(kit.server.app.faults.list()).toEqual([])
  })

  it('strike by method and by path, segment by segment', async () => {
    const kit = await start({ path: '/api/v1/forms/*', method: 'get', status: 500 })
    expect((await ask(kit)).status).toBe(500)
    expect((await ask(kit, '/api/v1/forms')).status).toBe(200)
    expect((await rename(kit, 'Other')).status).toBe(200)
    expect((await ask(kit, `${PATH}/responses`)).status).toBe(200)
  })

  it('strike the share that probability says, the same requests for the same seed', async () => {
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

  it('give way to the next fault when they spare a request', async () => {
    const kit = await start({ status: 503, probability: 0 }, { status: 500 })
    expect(await statuses(kit, 2)).toEqual([500, 500])
  })

  it('[ERR-05] answer 429 with the Retry-After they are given: seconds or a date', async () => {
    const kit = await start(
      { status: 429, retry_after: 7, times: 1 },
      { status: 429, retry_after: 'Sat, 21 Nov 2026 12:00:30 GMT', times: 1 },
    )
    const seconds = await ask(kit)
    expect([seconds.status, seconds.headers.get('retry-after')]).toEqual([429, '7'])
    expect(await seconds.json()).toEqual({ error: { code: 'rate_limited', message: 'Injected fault.' } })
    expect((await ask(kit)).headers.get('retry-after')).toBe('Sat, 21 Nov 2026 12:00:30 GMT')
  })

  it('answer with the HTML page of a proxy, JSON, or nothing', async () => {
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

  it('wait real milliseconds before the work', async () => {
    const kit = await start({ delay_ms: 30 })
    const began = performance.now()
    expect((await ask(kit)).status).toBe(200)
    expect(performance.now() - began).toBeGreaterThanOrEqual(28)
  })

  it.each(['before', true] as const)(
    'reset %s the work: nothing is done, nothing answered',
    async (reset) => {
      const kit = await start({ reset })
      await expect(rename(kit, 'Renamed')).rejects.toThrow('fetch failed')
      expect(titleOf(kit)).not.toBe('Renamed')
    },
  )

  it('reset when the work is done and nothing is answered', async () => {
    const kit = await start({ reset: 'unanswered' })
    await expect(rename(kit, 'Renamed')).rejects.toThrow('fetch failed')
    expect(titleOf(kit)).toBe('Renamed')
  })

  it('reset in the middle of the answer', async () => {
    const kit = await start({ reset: 'middle' })
    const answer = await ask(kit)
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow('terminated')
  })

  it('reset after the whole answer', async () => {
    const kit = await start({ reset: 'after' })
    const answer = await ask(kit)
    expect(await answer.json()).toMatchObject({ data: { id: FORM } })
    expect((await ask(kit)).status).toBe(200)
  })

  it('truncate JSON', async () => {
    const kit = await start({ truncate: true })
    const answer = await ask(kit)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
    await expect(answer.json()).rejects.toThrow(SyntaxError)
  })

  it('answer with a wrong content type', async () => {
    const kit = await start({ content_type: 'text/plain' })
    const answer = await ask(kit)
    expect(answer.headers.get('content-type')).toBe('text/plain')
    expect(await answer.json()).toMatchObject({ data: { id: FORM } })
  })

  it('drip the body slowly', async () => {
    const kit = await start({ drip_ms: 1, drip_bytes: 64 })
    const answer = await ask(kit)
    let pieces = 0
    let text = ''
    const decoder = new TextDecoder()
    for await (const piece of answer.body as unknown as AsyncIterable<Uint8Array>) {
      pieces += 1
      text += decoder.decode(piece, { stream: true })
    }
    expect(JSON.parse(text)).toMatchObject({ data: { id: FORM } })
    expect(pieces).toBeGreaterThan(3)
  })

  it('drip half of the body, and cut the connection then', async () => {
    const kit = await start({ drip_ms: 1, drip_bytes: 64, reset: 'middle', times: 1 })
    const answer = await ask(kit)
    expect(answer.status).toBe(200)
    let text = ''
    const read = async () => {
      const decoder = new TextDecoder()
      for await (const piece of answer.body as unknown as AsyncIterable<Uint8Array>) {
        text += decoder.decode(piece, { stream: true })
      }
    }
    await expect(read()).rejects.toThrow('terminated')
    const whole = await (await ask(kit)).text()
    expect(whole.startsWith(text)).toBe(true)
    expect(text.length / whole.length).toBeCloseTo(0.5, 1)
  })

  it('drip the whole body, and cut the connection then', async () => {
    const kit = await start({ drip_ms: 1, drip_bytes: 64, reset: 'after', times: 1 })
    expect(await (await ask(kit)).json()).toMatchObject({ data: { id: FORM } })
    expect((await ask(kit)).status).toBe(200)
  })

  it('are taken back one by one, or all', async () => {
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

  it('leave the control side alone', async () => {
    const kit = await start({ reset: true })
    const health = await kit.clientOptions.fetch(`${kit.clientOptions.baseUrl}/_app/health`)
    expect(health.status).toBe(200)
  })
})

describe('a fault that cannot be', () => {
  it.each([
    [{ statsu: 500 }, 'statsu', 'A fault has no statsu. It has method, path, times'],
    [{ status: 99 }, 'status', 'status takes a number from 200 to 599.'],
    [{ probability: 2 }, 'probability', 'probability takes a share from 0 to 1.'],
    [{ seed: -1 }, 'seed', 'seed takes a whole number from 0 to 4294967295.'],
    [{ reset: 'later' }, 'reset', 'reset takes true, before, unanswered, middle or after.'],
    [{ times: 0 }, 'times', 'times takes a number from 1.'],
    [{ path: 'api' }, 'path', 'path takes a whole path'],
    [{ retry_after: -1 }, 'retry_after', 'retry_after takes seconds or an HTTP date.'],
    [{ retry_after: 'a\r\nb' }, 'retry_after', 'retry_after takes seconds or an HTTP date.'],
    [{ body: 'html' }, 'body', 'give status too'],
    [{ drip_bytes: 0 }, 'drip_bytes', 'drip_bytes takes a number from 1'],
    [{ truncate: 'yes' }, 'truncate', 'truncate takes true or false.'],
  ])('%j is refused with the field %s', async (fault, field, message) => {
    const kit = await startFormwire()
    kits.push(kit)
    const answer = await kit.clientOptions.fetch(`${kit.clientOptions.baseUrl}/_app/faults`, {
      method: 'POST',
      headers: { authorization: `Bearer ${kit.server.adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(fault),
    })
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({
      error: { details: { field }, message: expect.stringContaining(message) },
    })
    expect(kit.server.app.faults.list()).toEqual([])
  })
})
