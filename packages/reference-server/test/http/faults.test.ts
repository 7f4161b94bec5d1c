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
  const rename = (kit: FormwireKit, title: string, init: RequestInit = {}) =>
    ask(kit, PATH, { ...init, method: 'PATCH', body: JSON.stringify({ title }) })
  const titleOf = (kit: FormwireKit) => kit.server.app.forms.get(FORM).title

  it('apply to the given number of requests and count them', async () => {
    const kit = await start({ status: 503, times: 2 })
    expect(kit.server.app.faults.list()).toMatchObject([{ id: 1, status: 503, times: 2, met: 0 }])
    expect(await statuses(kit, 1)).toEqual([503])
    expect(kit.server.app.faults.list()).toMatchObject([{ times: 1, met: 1 }])
    expect(await statuses(kit, 2)).toEqual([503, 200])
    expect(kit.server.app.faults.list()).toEqual([])
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

  it('wait real milliseconds before the request is processed', async () => {
    const kit = await start(
      { method: 'PATCH', delay_ms: 1, times: 1 },
      { method: 'PATCH', delay_ms: 600_000 },
    )
    expect((await rename(kit, 'Soon')).status).toBe(200)
    expect(titleOf(kit)).toBe('Soon')
    const stop = new AbortController()
    const late = expect(rename(kit, 'Late', { signal: stop.signal })).rejects.toThrow()
    await expect.poll(() => kit.server.app.faults.list()[0]?.met).toBe(1)
    expect((await ask(kit)).status).toBe(200)
    expect(titleOf(kit)).toBe('Soon')
    stop.abort()
    await late
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

it('rejects an invalid fault with 422', async () => {
  const kit = await startFormwire()
  kits.push(kit)
  const response = await kit.clientOptions.fetch(`${kit.clientOptions.baseUrl}/_app/faults`, {
    method: 'POST',
    headers: { authorization: `Bearer ${kit.server.adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ statsu: 500 }),
  })
  expect(response.status).toBe(422)
  expect(await response.json()).toMatchObject({
    error: { details: { field: 'statsu' }, message: 'Unknown field "statsu"; did you mean "status"?' },
  })
  expect(kit.server.app.faults.list()).toEqual([])
})
