import type { Fault } from '@formwire/contract/control'
import { describe, expect, it } from 'vitest'
import { applyAfter, applyBefore } from '../../src/http/faults/apply-fault.ts'
import { Faults } from '../../src/http/faults/faults.ts'
import type { IncomingMessage, OutgoingMessage } from '../../src/http/message.ts'

const request = (path: string, method = 'GET') => ({ path, method }) as IncomingMessage
const never = new AbortController().signal

describe('a fault is rejected with', () => {
  const outside = [
    '/x/v1',
    '/api/x',
    'x/api/v1',
    '/_app/forms',
    '/_app/*',
    '/openapi.json',
    '/',
    '/api/v1x',
    '/api',
    5,
  ]
  it.each<[string, unknown[]]>([
    ['method', [7]],
    ['path', outside],
    // The query is not part of the path, so such a fault would never apply.
    ['path', ['/api/v1#a', '/api/v1/forms?page=2']],
    ['times', [1.5]],
    ['probability', [-0.1, 1.1, '0.5', Number.NaN]],
    ['seed', [-1, 0.5, 4_294_967_296]],
    ['status', [199, 600, '500']],
    ['body', ['xml']],
    ['retry_after', [1.5, -1, '', 'é', 'a\nb']],
    ['delay_ms', [-1, 600_001]],
    ['reset', ['soon']],
    ['truncate', [1]],
    ['content_type', ['', 7, 'text/plain\r\nx: y', '\u007f']],
    ['drip_ms', [600_001]],
    ['drip_bytes', [0, 1_048_577]],
  ])('%s: any of %j', (field, values) => {
    const faults = new Faults()
    for (const value of values)
      expect(() => faults.add({ status: 500, [field]: value }), JSON.stringify(value)).toThrow(
        expect.objectContaining({ status: 422, details: { field } }),
      )
    expect(faults.list()).toEqual([])
  })
})

describe('the message of a rejected fault', () => {
  it.each([
    [{ statsu: 500 }, 'Unknown field "statsu"; did you mean "status"?'],
    [{ status: 99 }, 'status must be an integer from 200 to 599, got 99.'],
    [{ probability: 2 }, 'probability must be a number from 0 to 1, got 2.'],
    [{ reset: 'later' }, 'must be true, false, before, unanswered, middle or after, got "later".'],
    [{ times: 0 }, 'times must be an integer of at least 1, got 0.'],
    [{ path: 'api' }, 'path must be a path under /api/v1 or /f, such as /api/v1/forms/*, got "api".'],
    [{ retry_after: -1 }, 'retry_after must be seconds or an HTTP date, got '],
    [{ body: 'html' }, 'body requires status.'],
    [{ truncate: 'yes' }, 'truncate must be true or false, got "yes".'],
  ])('of %j is %s', (fault, message) => {
    expect(() => new Faults().add(fault as Fault)).toThrow(message)
  })
})

describe('the active faults', () => {
  it('are numbered, listed and removed', () => {
    const faults = new Faults()
    faults.add({ status: 500 })
    expect(faults.add({ status: 503, times: 2 })).toEqual({ id: 2, met: 0, status: 503, times: 2 })
    expect(faults.list()).toEqual([
      { id: 1, met: 0, status: 500 },
      { id: 2, met: 0, status: 503, times: 2 },
    ])
    expect([faults.remove(1), faults.remove(1)]).toEqual([true, false])
    expect(faults.list().map(({ id }) => id)).toEqual([2])
    faults.clear()
    expect(faults.add({}).id).toBe(3)
    faults.restart()
    expect(faults.list()).toEqual([])
    expect(faults.add({}).id).toBe(1)
  })

  it('apply in their order, each as often as it says, and stay as they were added', () => {
    const faults = new Faults()
    const added: Fault = { status: 500, times: 2 }
    faults.add(added)
    faults.add({ status: 503 })
    Object.assign(added, { status: 418 })
    const statuses = [1, 2, 3, 4].map(() => faults.take(request('/api/v1/me'))?.status)
    expect(statuses).toEqual([500, 500, 503, 503])
    expect(faults.list()).toEqual([{ id: 2, met: 2, status: 503 }])
  })

  it('apply to a method and a path of as many segments', () => {
    const faults = new Faults()
    faults.add({ status: 500, method: 'get', path: '/api/v1/forms/*' })
    const matches = [
      request('/api/v1/forms/a'),
      request('/api/v1/forms/'),
      request('/api/v1/forms/a', 'POST'),
      request('/api/v1/forms'),
      request('/api/v1/forms/a/b'),
      request('/api/v1/form/a'),
    ].map((one) => faults.take(one) !== undefined)
    expect(matches).toEqual([true, true, false, false, false, false])
    expect(new Faults().take(request('/api/v1/me'))).toBeUndefined()
  })

  it('apply to the same requests for the same seed', () => {
    const taken = (fault: Fault): string => {
      const faults = new Faults()
      faults.add(fault)
      return Array.from({ length: 40 }, () => (faults.take(request('/api/v1/me')) ? 'x' : '.')).join('')
    }
    expect(taken({ probability: 0.3, seed: 7 })).toBe('xx.x....xx..x.x..........x..x......xx..x')
    expect(taken({ probability: 0.5 })).toBe('xx..x.x.x..x...xx.x...x.x.xxx..x.xxx.xx.')
    expect(taken({ probability: 0.5, seed: 1 })).toBe(taken({ probability: 0.5 }))
    expect(taken({ probability: 1 })).toBe('x'.repeat(40))
    expect(taken({ probability: 0 })).toBe('.'.repeat(40))
  })
})

describe('the response of a fault', () => {
  const before = (fault: Fault) => applyBefore(fault, never)
  const json = { 'content-type': 'application/json' }
  const html = { 'content-type': 'text/html; charset=utf-8' }
  const error = (code: string) => `{"error":{"code":"${code}","message":"Injected fault."}}`
  const page = (status: number) =>
    `<!doctype html><title>${status}</title><h1>${status}</h1><p>Injected fault.</p>\n`

  it.each<[Fault, OutgoingMessage]>([
    [{ status: 404 }, { status: 404, headers: json, body: error('not_found') }],
    [{ status: 502 }, { status: 502, headers: html, body: page(502) }],
    [
      { status: 502, body: 'json' },
      { status: 502, headers: json, body: error('server_error') },
    ],
    [
      { status: 404, body: 'html' },
      { status: 404, headers: html, body: page(404) },
    ],
    [
      { status: 404, body: 'empty' },
      { status: 404, headers: {}, body: null },
    ],
    [
      { status: 204, body: 'json' },
      { status: 204, headers: {}, body: null },
    ],
    [{ status: 304 }, { status: 304, headers: {}, body: null }],
    [
      { status: 401 },
      { status: 401, headers: { ...json, 'www-authenticate': 'Bearer' }, body: error('unauthorized') },
    ],
    [
      { status: 429, retry_after: 0 },
      { status: 429, headers: { ...json, 'retry-after': '0' }, body: error('rate_limited') },
    ],
  ])('[ERR-05] is made from %j', async (fault, response) => {
    expect(await before(fault)).toEqual(response)
  })

  it('comes early when the client disconnects', async () => {
    const abort = new AbortController()
    const waiting = applyBefore({ delay_ms: 600_000, status: 503, body: 'empty' }, abort.signal)
    abort.abort()
    expect(await waiting).toEqual({ status: 503, headers: {}, body: null })
  })
})

describe('a response altered by a fault', () => {
  const after = (fault: Fault, response: Partial<OutgoingMessage> = {}, signal = never) =>
    applyAfter(fault, { status: 200, headers: {}, body: 'abcdefg', ...response }, signal)
  const read = async ({ body }: OutgoingMessage): Promise<string[]> => {
    const pieces: string[] = []
    for await (const piece of body as AsyncIterable<Uint8Array>) pieces.push(Buffer.from(piece).toString())
    return pieces
  }

  it('is truncated to half of its bytes', () => {
    const text = after({ truncate: true })
    expect([String(text.body), text.headers]).toEqual(['abc', {}])
    const known = after({ truncate: true }, { body: Buffer.from('é'), headers: { 'content-length': '2' } })
    expect([known.body, known.headers]).toEqual([Buffer.from([0xc3]), { 'content-length': '1' }])
    expect(after({ truncate: true }, { body: null }).body).toBeNull()
    expect(after({ truncate: false }).body).toBe('abcdefg')
  })

  it('is sent in pieces', async () => {
    expect(await read(after({ drip_ms: 0, drip_bytes: 3 }))).toEqual(['abc', 'def', 'g'])
    expect(await read(after({ drip_ms: 0, drip_bytes: 3 }, { body: 'abcdef' }))).toEqual(['abc', 'def'])
    expect(await read(after({ drip_ms: 0, drip_bytes: 3, truncate: true }))).toEqual(['abc'])
    expect(await read(after({ drip_ms: 0, drip_bytes: 2, reset: 'middle' }))).toEqual(['ab', 'c'])
    expect(await read(after({ drip_ms: 0, drip_bytes: 4, reset: 'after' }))).toEqual(['abcd', 'efg'])
    expect(await read(after({ drip_ms: 0 }, { body: 'x'.repeat(20) }))).toEqual(['x'.repeat(16), 'xxxx'])
    expect(after({ drip_ms: 0 }, { body: null }).body).toBeNull()
  })

  it('ends when the client disconnects', async () => {
    const abort = new AbortController()
    const { body } = after({ drip_ms: 600_000, drip_bytes: 1 }, {}, abort.signal)
    const pieces: string[] = []
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      pieces.push(Buffer.from(piece).toString())
      if (pieces.length === 1) abort.abort()
    }
    expect(pieces).toEqual(['a'])
  })
})
