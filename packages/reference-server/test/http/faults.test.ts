import type { Fault } from '@formwire/contract/control'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSeedFactory, startFormwire } from '../../src/testing/index.ts'

const make = await createSeedFactory(5)
const FORM = 'faultyform01'
const SEED = make.seed(make.form({ id: FORM, title: 'Old', responses: 2 }))

/** In process and over a socket, with faults set through `/_app/faults`. */
const transports = [
  { transport: 'in process', listen: false },
  { transport: 'over a socket', listen: true },
] as const

describe.each(transports)('faults $transport', ({ listen }) => {
  async function start(...faults: Fault[]) {
    const { server, clientOptions, close } = await startFormwire({ seed: SEED, listen })
    onTestFinished(close)
    const send = (key: string, method: string, path: string, body?: object, init?: RequestInit) =>
      clientOptions.fetch(clientOptions.baseUrl + path, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        ...init,
      })
    for (const fault of faults)
      expect((await send(server.adminToken, 'POST', '/_app/faults', fault)).status).toBe(201)
    return {
      faults: () => server.app.faults.list(),
      health: () => send('', 'GET', '/_app/health'),
      title: () => server.app.forms.get(FORM).title,
      read: () => send(clientOptions.apiKey, 'GET', `/api/v1/forms/${FORM}`),
      rename: (title: string, init?: RequestInit) =>
        send(clientOptions.apiKey, 'PATCH', `/api/v1/forms/${FORM}`, { title }, init),
    }
  }

  it.each<[Fault, string, string]>([
    [{ status: 503 }, '503', 'Old'],
    [{ delay_ms: 1 }, '200', 'New'],
    [{ reset: true }, 'fetch failed', 'Old'],
    [{ reset: 'before' }, 'fetch failed', 'Old'],
    [{ reset: 'unanswered' }, 'fetch failed', 'New'],
    [{ reset: 'middle' }, 'terminated', 'New'],
    [{ reset: 'after' }, '200', 'New'],
  ])('%j ends a request to rename a form with %s, once: then it is %s', async (fault, outcome, title) => {
    const kit = await start({ ...fault, times: 1 })
    const ended = kit
      .rename('New')
      .then(async (response) => [await response.text(), `${response.status}`][1])
      .catch((error: Error) => error.message)
    expect([await ended, kit.title(), kit.faults()]).toEqual([outcome, title, []])
    expect((await kit.rename('Newer')).status).toBe(200)
  })

  it.each([
    [undefined, 'Old', 1],
    ['middle', 'terminated', 0.5],
  ] as const)('send the body slowly, then close the connection: %s', async (reset, end, share) => {
    const kit = await start({ drip_ms: 1, drip_bytes: 64, ...(reset && { reset }), times: 1 })
    const response = await kit.read()
    const pieces: string[] = []
    const decoder = new TextDecoder()
    const read = async () => {
      for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>)
        pieces.push(decoder.decode(piece, { stream: true }))
      return JSON.parse(pieces.join('')).data.title
    }
    expect(await read().catch((error: Error) => error.message)).toBe(end)
    const whole = await (await kit.read()).text()
    expect(whole.startsWith(pieces.join(''))).toBe(true)
    expect(pieces.join('').length / whole.length).toBeCloseTo(share, 1)
    expect(pieces.length).toBeGreaterThan(1)
  })

  it('[ERR-05] return 429 with the given Retry-After, in seconds or as a date', async () => {
    const kit = await start(
      { status: 429, retry_after: 7, times: 1 },
      { status: 429, retry_after: 'Sat, 21 Nov 2026 12:00:30 GMT', times: 1 },
    )
    const seconds = await kit.read()
    expect([seconds.status, seconds.headers.get('retry-after')]).toEqual([429, '7'])
    expect(await seconds.json()).toEqual({ error: { code: 'rate_limited', message: 'Injected fault.' } })
    expect((await kit.read()).headers.get('retry-after')).toBe('Sat, 21 Nov 2026 12:00:30 GMT')
  })

  it('wait before the request is processed, and hold up no other and nothing of the control API', async () => {
    const kit = await start({ method: 'PATCH', delay_ms: 600_000 }, { path: '/f/*', reset: true })
    const stop = new AbortController()
    const late = expect(kit.rename('Late', { signal: stop.signal })).rejects.toThrow()
    await expect.poll(() => kit.faults()[0]?.met).toBe(1)
    expect([(await kit.read()).status, (await kit.health()).status, kit.title()]).toEqual([200, 200, 'Old'])
    stop.abort()
    await late
  })
})
